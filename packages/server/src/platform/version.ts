/** Of everything in this repository. */
export const VERSION = '0.1.0';
