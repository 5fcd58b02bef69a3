/** How the name of a model is written, as help of a field. */
export const MODEL_FORM = 'As provider/name, for example openai/gpt-5-mini.';
