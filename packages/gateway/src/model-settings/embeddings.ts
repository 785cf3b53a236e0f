/** Owns which model turns texts into vectors: the one that the operator named, else the one on this machine, else none. */
import type { EmbeddingPort } from '@countersign/agent'
import {
  costNanos,
  createLocalEmbeddings,
  createProviderEmbeddings,
  type ModelFacts,
  type ProviderConfig,
  partsOf,
  type RouterSettings,
} from '@countersign/models'

export interface EmbeddingsParts {
  readonly settings: () => Promise<RouterSettings>
  readonly facts: (provider: ProviderConfig, model: string) => ModelFacts
  /** Where the optional part is installed. */
  readonly folder: string
}

export interface Embeddings extends EmbeddingPort {
  close(): Promise<void>
}

export function createEmbeddings({ settings, facts, folder }: EmbeddingsParts): Embeddings {
  const local = createLocalEmbeddings({ folder })
  return {
    async embed(texts, signal, meter) {
      const { providers, routes } = await settings()
      const [named] = routes.embeddings?.models ?? []
      if (named === undefined) return local.embed(texts, signal, meter)
      const { provider: name, model } = partsOf(named)
      const provider = providers.find(({ config, enabled }) => enabled && config.name === name)
      if (!provider) {
        return {
          kind: 'unavailable',
          reason: `The provider ${name} of ${named} does not exist. Choose another with \`countersign model use\`.`,
        }
      }
      const known = facts(provider.config, model)
      const price = (tokens: number) =>
        costNanos(known, { input: tokens, output: 0, cached: 0, reasoning: 0 })
      return createProviderEmbeddings({ config: { ...provider.config, model }, price }).embed(
        texts,
        signal,
        meter,
      )
    },
    isLocal: async () => (await settings()).routes.embeddings?.models[0] === undefined,
    close: () => local.close(),
  }
}
