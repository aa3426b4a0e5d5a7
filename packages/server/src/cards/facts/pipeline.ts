import { type JsonObject, textAt, textsAt } from './json.ts';

/** How the library transformers loads a model. */
export interface TransformersInfo {
  readonly auto_model: string;
  readonly pipeline_tag?: string;
  readonly processor?: string;
}

/** Suffixes of architecture names with their auto class and pipeline, more specific ones first. */
const ARCHITECTURES: readonly (readonly [end: string, autoModel: string, pipeline: string | undefined])[] = [
  ['ForImageClassification', 'AutoModelForImageClassification', 'image-classification'],
  ['ForObjectDetection', 'AutoModelForObjectDetection', 'object-detection'],
  ['ForSemanticSegmentation', 'AutoModelForSemanticSegmentation', 'image-segmentation'],
  ['ForUniversalSegmentation', 'AutoModelForUniversalSegmentation', 'image-segmentation'],
  ['ForDepthEstimation', 'AutoModelForDepthEstimation', 'depth-estimation'],
  ['ForVideoClassification', 'AutoModelForVideoClassification', 'video-classification'],
  ['ForAudioClassification', 'AutoModelForAudioClassification', 'audio-classification'],
  ['ForCTC', 'AutoModelForCTC', 'automatic-speech-recognition'],
  ['ForSpeechSeq2Seq', 'AutoModelForSpeechSeq2Seq', 'automatic-speech-recognition'],
  ['ForTextToSpeech', 'AutoModelForTextToWaveform', 'text-to-speech'],
  ['ForVisualQuestionAnswering', 'AutoModelForVisualQuestionAnswering', 'visual-question-answering'],
  ['ForDocumentQuestionAnswering', 'AutoModelForDocumentQuestionAnswering', 'document-question-answering'],
  ['ForTableQuestionAnswering', 'AutoModelForTableQuestionAnswering', 'table-question-answering'],
  ['ForSequenceClassification', 'AutoModelForSequenceClassification', 'text-classification'],
  ['ForTokenClassification', 'AutoModelForTokenClassification', 'token-classification'],
  ['ForQuestionAnswering', 'AutoModelForQuestionAnswering', 'question-answering'],
  ['ForMultipleChoice', 'AutoModelForMultipleChoice', 'multiple-choice'],
  ['ForMaskedLM', 'AutoModelForMaskedLM', 'fill-mask'],
  ['ForSeq2SeqLM', 'AutoModelForSeq2SeqLM', 'text2text-generation'],
  ['ForCausalLM', 'AutoModelForCausalLM', 'text-generation'],
  ['LMHeadModel', 'AutoModelForCausalLM', 'text-generation'],
  ['ForImageTextToText', 'AutoModelForImageTextToText', 'image-text-to-text'],
  ['ForConditionalGeneration', 'AutoModelForSeq2SeqLM', undefined],
  ['Model', 'AutoModel', 'feature-extraction'],
];

const PROCESSORS: readonly (readonly [pipelines: RegExp, processor: string])[] = [
  [/^(image-|object-|depth-|video-)(?!text)/, 'AutoImageProcessor'],
  [/^(audio-|automatic-speech|text-to-speech)|visual|document|image-text/, 'AutoProcessor'],
];

function architectureOf(config: JsonObject | undefined) {
  const [name = ''] = textsAt(config, 'architectures');
  return ARCHITECTURES.find(([end]) => name.endsWith(end));
}

/** Returns the pipeline of a model: the one that its README declares, else by its library or its architecture. */
export function pipelineOf(
  card: JsonObject | undefined,
  config: JsonObject | undefined,
  library: string | undefined,
): string | undefined {
  const declared = textAt(card, 'pipeline_tag');
  if (declared !== undefined) return declared;
  if (library === 'sentence-transformers') return 'sentence-similarity';
  return architectureOf(config)?.[2];
}

/** Returns how transformers loads a model; undefined for models of other libraries. */
export function transformersInfoOf(
  config: JsonObject | undefined,
  { library, pipeline }: { readonly library: string | undefined; readonly pipeline: string | undefined },
): TransformersInfo | undefined {
  const architecture = library === 'transformers' ? architectureOf(config) : undefined;
  if (!architecture) return undefined;
  const pipelineTag = pipeline ?? architecture[2];
  const processor = PROCESSORS.find(([pipelines]) => pipelines.test(pipelineTag ?? ''))?.[1] ?? 'AutoTokenizer';
  return { auto_model: architecture[1], ...(pipelineTag !== undefined && { pipeline_tag: pipelineTag }), processor };
}
