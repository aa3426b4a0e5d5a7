import { expect, test } from 'vitest';
import { gateFormOf } from './gate-form.ts';

test('the form of a card has its texts, its fields and their options', () => {
  const form = gateFormOf({
    extra_gated_heading: 'Read this',
    extra_gated_button_content: 'I agree',
    extra_gated_fields: {
      Company: 'text',
      Purpose: { type: 'select', options: ['Research', { label: 'Something else', value: 'other' }, 3, null] },
      'I agree to the license': 'checkbox',
    },
  });
  expect(form).toMatchObject({ heading: 'Read this', prompt: undefined, button: 'I agree' });
  expect(form.fields).toEqual([
    { name: 'Company', type: 'text', options: [] },
    {
      name: 'Purpose',
      type: 'select',
      options: [
        { value: 'Research', label: 'Research' },
        { value: 'other', label: 'Something else' },
        { value: '3', label: '3' },
      ],
    },
    { name: 'I agree to the license', type: 'checkbox', options: [] },
  ]);
});

test.each([
  undefined,
  {},
  { extra_gated_fields: 'text', extra_gated_heading: 3 },
  { extra_gated_fields: { Company: 'colour', Purpose: { options: ['a'] }, Age: null } },
])('what is no form has no fields: %j', (card) => {
  expect(gateFormOf(card)).toMatchObject({ heading: undefined, fields: [] });
});
