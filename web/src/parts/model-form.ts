/** How the name of a model is written. */
export const MODEL_FORM = 'provider/name, for example openai/gpt-5-mini';
