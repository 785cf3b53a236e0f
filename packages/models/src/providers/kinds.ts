/** Owns what is known of each kind of provider before anybody asks it. */
import type { ProviderKind } from '@countersign/contract'

export interface KindFacts {
  readonly title: string
  /** Where it is reached; null where the operator must say. */
  readonly baseUrl: string | null
  readonly key: 'needed' | 'optional'
  /** Variables in which people keep its key, the usual one first. */
  readonly variables: readonly string[]
  /** Runs its models itself: free where it is on the operator's own machine or network. */
  readonly local: boolean
  /** A local server is looked for here. */
  readonly probedUrls: readonly string[]
  /** Its models can be given tools. */
  readonly tools: boolean
}

const hosted = (title: string, baseUrl: string, ...variables: string[]): KindFacts => ({
  title,
  baseUrl,
  key: 'needed',
  variables,
  local: false,
  probedUrls: [],
  tools: true,
})

export const kinds: Readonly<Record<ProviderKind, KindFacts>> = {
  anthropic: hosted('Anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY'),
  openai: hosted('OpenAI', 'https://api.openai.com/v1', 'OPENAI_API_KEY'),
  google: hosted(
    'Google',
    'https://generativelanguage.googleapis.com/v1beta',
    'GOOGLE_GENERATIVE_AI_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
  ),
  mistral: hosted('Mistral', 'https://api.mistral.ai/v1', 'MISTRAL_API_KEY'),
  groq: hosted('Groq', 'https://api.groq.com/openai/v1', 'GROQ_API_KEY'),
  deepseek: hosted('DeepSeek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY'),
  xai: hosted('xAI', 'https://api.x.ai/v1', 'XAI_API_KEY'),
  together: hosted('Together', 'https://api.together.xyz/v1', 'TOGETHER_API_KEY', 'TOGETHER_AI_API_KEY'),
  fireworks: hosted('Fireworks', 'https://api.fireworks.ai/inference/v1', 'FIREWORKS_API_KEY'),
  perplexity: { ...hosted('Perplexity', 'https://api.perplexity.ai', 'PERPLEXITY_API_KEY'), tools: false },
  cohere: hosted('Cohere', 'https://api.cohere.com/v2', 'COHERE_API_KEY'),
  openrouter: hosted('OpenRouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY'),
  zhipu: hosted(
    'Zhipu (Z.ai)',
    'https://api.z.ai/api/paas/v4',
    'ZAI_API_KEY',
    'ZHIPU_API_KEY',
    'ZHIPUAI_API_KEY',
  ),
  // Each resource has its own: https://<resource>.openai.azure.com/openai/v1
  azure: { ...hosted('Azure OpenAI', ''), baseUrl: null },
  github: hosted('GitHub Models', 'https://models.github.ai/inference', 'GITHUB_MODELS_TOKEN'),
  // Each region has its own: https://bedrock-runtime.<region>.amazonaws.com
  bedrock: { ...hosted('Amazon Bedrock', ''), baseUrl: null },
  // With a key of its own; a service account names its project and region in the address.
  vertex: hosted('Google Vertex AI', 'https://aiplatform.googleapis.com/v1/publishers/google'),
  ollama: {
    title: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434/api',
    key: 'optional',
    variables: [],
    local: true,
    probedUrls: ['http://127.0.0.1:11434/api'],
    tools: true,
  },
  'openai-compatible': {
    title: 'OpenAI-compatible server',
    baseUrl: null,
    key: 'optional',
    variables: [],
    local: false,
    // LM Studio, llama.cpp, vLLM.
    probedUrls: ['http://127.0.0.1:1234/v1', 'http://127.0.0.1:8080/v1', 'http://127.0.0.1:8000/v1'],
    tools: true,
  },
  demo: {
    title: 'Demo model',
    // Nobody is ever called there. A place on this machine is what makes it free and keeps every key away from it.
    baseUrl: 'http://demo.localhost',
    key: 'optional',
    variables: [],
    local: true,
    probedUrls: [],
    tools: true,
  },
}
