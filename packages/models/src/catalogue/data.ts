/** Owns the form of the catalogue's data: what other people publish about models, brought into one shape and checked. */
import { Capability, ProviderKind } from '@countersign/contract'
import { z } from 'zod'

/** Dearer than this for a million tokens is a mistake in the data. */
const absurdPrice = 10_000
const Price = z.number().min(0).max(absurdPrice)
const Count = z.int().min(1).max(100_000_000)
const Id = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\x21-\x7e]+$/)
const Day = z.iso.date()

const DataTier = z.strictObject({
  above: Count,
  input: Price,
  output: Price,
  cacheRead: Price.nullable(),
  cacheWrite: Price.nullable(),
})

const DataPrice = z.strictObject({
  input: Price,
  output: Price,
  cacheRead: Price.nullable(),
  cacheWrite: Price.nullable(),
  tiers: z.array(DataTier).max(8).optional(),
  /** Dollars for each call. */
  perCall: z.number().min(0).max(10).optional(),
})
export type DataPrice = z.infer<typeof DataPrice>

export const CatalogueModel = z.strictObject({
  kind: ProviderKind,
  /** As the provider's API names it. */
  id: Id,
  title: z.string().min(1).max(200),
  capabilities: z.array(Capability),
  context: Count.nullable(),
  output: Count.nullable(),
  price: DataPrice.nullable(),
  /** Announced: the price from that day on. */
  later: z
    .array(z.strictObject({ from: Day, price: DataPrice }))
    .max(8)
    .optional(),
  /** The name of the source that the price is from. */
  source: z.string().max(60).optional(),
  /** Other names for exactly this model. */
  aliases: z.array(Id).max(40).optional(),
  serves: z.literal('embeddings').optional(),
  /** Known for its price only: old, or not offered to everybody. Found by name, but not offered. */
  listed: z.literal(false).optional(),
})
export type CatalogueModel = z.infer<typeof CatalogueModel>

const DataSource = z.strictObject({
  /** Such as `pi-ai`. */
  name: z.string().min(1).max(60),
  /** On the npm registry. */
  package: z.string().min(1).max(120),
  version: z.string().min(1).max(60),
  date: Day,
  licence: z.string().min(1).max(60),
  integrity: z.string().max(200),
})
export type DataSource = z.infer<typeof DataSource>

export const CatalogueData = z.strictObject({
  /** In words: the sources and their versions. */
  source: z.string().max(300),
  /** Of the newest source. */
  date: Day,
  sources: z.array(DataSource).max(8),
  models: z.array(CatalogueModel).max(20_000),
})
export type CatalogueData = z.infer<typeof CatalogueData>

/** The data that comes with the program. Loaded on the first call. */
export async function vendoredData(): Promise<CatalogueData> {
  const { head, lines } = await import('./data/models.ts')
  const parts: Record<string, unknown> = JSON.parse(head)
  return CatalogueData.parse({ ...parts, models: JSON.parse(`[${lines.trim().split('\n').join(',')}]`) })
}
