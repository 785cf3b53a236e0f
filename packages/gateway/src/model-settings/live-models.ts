/** Owns which models a server says it has, remembered for a moment so that it is not asked at every look. */
import type { ListedModels, ProviderConfig } from '@countersign/models'
import type { ProviderChoice } from './model-choices.ts'

export interface LiveModels {
  /** Empty where the server does not say, such as one that is not running. */
  list(provider: ProviderChoice): Promise<readonly string[]>
  /** What it said last, without asking. */
  known(name: string): readonly string[]
  /** Why it said nothing when it was last asked. */
  problem(name: string): string | null
}

export interface LiveModelsParts {
  /** Never rejects. */
  readonly ask: (provider: ProviderChoice) => Promise<ListedModels>
  readonly clock: () => Date
}

interface ModelListing {
  readonly at: number
  readonly url: string
  readonly models: Promise<readonly string[]>
}

const rememberedMs = 30_000
/** A server that was not there may just be starting. */
const silenceRememberedMs = 2_000

export function createLiveModels({ ask, clock }: LiveModelsParts): LiveModels {
  const asked = new Map<string, ModelListing>()
  const said = new Map<string, readonly string[]>()
  const problems = new Map<string, string>()

  async function listOf(provider: ProviderChoice): Promise<readonly string[]> {
    const { name } = provider
    const listed = await ask(provider)
    if (listed.kind === 'failed') {
      problems.set(name, listed.message)
      return []
    }
    problems.delete(name)
    said.set(name, listed.models)
    return listed.models
  }

  return {
    list(provider) {
      const { name, url } = provider
      const now = clock().getTime()
      const last = asked.get(name)
      const freshMs = problems.has(name) ? silenceRememberedMs : rememberedMs
      if (last && last.url === url && now - last.at < freshMs) return last.models
      const models = listOf(provider)
      asked.set(name, { at: now, url, models })
      return models
    },
    known: (name) => said.get(name) ?? [],
    problem: (name) => problems.get(name) ?? null,
  }
}

/** Servers whose models nobody publishes: only they can say what they have. */
export function listsItsOwnModels({ kind }: Pick<ProviderConfig, 'kind'>): boolean {
  return kind === 'ollama' || kind === 'openai-compatible' || kind === 'demo'
}
