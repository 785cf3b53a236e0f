/**
 * Owns how the agents that we know find the model service: each is told the address of the door inside its sandbox, and a
 * word in place of a key. Another agent that speaks the protocol is told the same by the usual variables.
 */
import type { CodingAgent } from '@countersign/contract'

/** Where the sandbox has its only listener. */
const door = 'http://127.0.0.1:3128'
const noKey = 'added-outside-the-sandbox'

export function agentEnvironment(agent: CodingAgent, model: string): Record<string, string> {
  const base = `${door}${new URL(agent.endpoint).pathname.replace(/\/$/, '')}`
  return {
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
    XDG_DATA_HOME: '/tmp/agent/data',
    XDG_CONFIG_HOME: '/tmp/agent/config',
    XDG_CACHE_HOME: '/tmp/agent/cache',
    XDG_STATE_HOME: '/tmp/agent/state',
    ...byProtocol[agent.protocol](base, model),
    ...opencode(agent, base, model),
  }
}

const byProtocol: Readonly<
  Record<CodingAgent['protocol'], (base: string, model: string) => Record<string, string>>
> = {
  openai: (base, model) => ({ OPENAI_BASE_URL: base, OPENAI_API_KEY: noKey, OPENAI_MODEL: model }),
  anthropic: (base, model) => ({
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: noKey,
    ANTHROPIC_MODEL: model,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  google: (base, model) => ({ GOOGLE_GEMINI_BASE_URL: base, GEMINI_API_KEY: noKey, GEMINI_MODEL: model }),
}

/** It takes its providers from its settings only, and would fetch lists and updates. Others do not look at these. */
function opencode({ protocol }: CodingAgent, base: string, model: string): Record<string, string> {
  const settings = {
    model: `door/${model}`,
    small_model: `door/${model}`,
    autoupdate: false,
    share: 'disabled',
    provider: {
      door: {
        npm: protocol === 'anthropic' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible',
        name: 'Model service',
        options: { baseURL: protocol === 'anthropic' ? `${base}/v1` : base, apiKey: noKey },
        models: { [model]: { name: model } },
      },
    },
  }
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(settings),
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  }
}

/** `custom:name` is how a model speaks of an agent that nobody here knows. */
export function agentNamed(provider: string): string {
  return provider.replace(/^custom:/, '')
}
