/**
 * The hosts of agents that ask models of many providers: the documented API addresses of the best known ones, the
 * gateway of opencode, and the list of models (`models.dev`) that opencode loads. Others need a list in `network`.
 */
export const ANY_PROVIDER = [
  'api.anthropic.com:443',
  'api.openai.com:443',
  'generativelanguage.googleapis.com:443',
  'openrouter.ai:443',
  'api.mistral.ai:443',
  'api.deepseek.com:443',
  'api.groq.com:443',
  'api.x.ai:443',
  'opencode.ai:443',
  'models.dev:443',
] as const;
