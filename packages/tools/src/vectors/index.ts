import type { ToolDefinition } from '../definition.ts'
import { createEmbedding } from './create-embedding.ts'
import { createVectorCollection } from './create-vector-collection.ts'
import { deleteVectors } from './delete-vectors.ts'
import { listVectorCollections } from './list-vector-collections.ts'
import { semanticSearch } from './semantic-search.ts'
import { similarityScore } from './similarity-score.ts'
import { upsertVectors } from './upsert-vectors.ts'

export const vectorTools: readonly ToolDefinition[] = [
  createEmbedding,
  semanticSearch,
  upsertVectors,
  deleteVectors,
  listVectorCollections,
  createVectorCollection,
  similarityScore,
]
