/** Owns the shape of a tool that was made in a conversation, as it is kept. */
import { type JsonObject, Label, Requester, type StoredRecord } from '@countersign/contract'
import { z } from 'zod'
import { commandText, nameText } from '../text.ts'
import { permissions } from './permissions.ts'

export const customToolsCollection = 'custom_tools'

export const toolName = z
  .string()
  .regex(/^[a-z][a-z0-9_]*$/, 'must be small letters, digits and underscores, a letter first')
  .max(64)

export const toolDescription = nameText(1_000)

export const toolCode = commandText(65_536).refine(
  (code) => Buffer.byteLength(code) <= 65_536,
  'must have at most 64 KiB',
)

export const toolPermissions = z.array(z.enum(permissions)).max(permissions.length)

export const apiKey = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'must be small letters, digits, - and _, a letter first'),
  displayName: nameText(100).optional(),
  docsUrl: nameText(500).optional(),
})

export const CustomTool = z.strictObject({
  name: toolName,
  description: toolDescription,
  parameters: z.record(z.string(), z.json()),
  code: toolCode,
  permissions: toolPermissions,
  requiredApiKeys: z.array(apiKey).max(10),
  enabled: z.boolean(),
  /** What led to the tool, and who had it made. */
  origin: z.strictObject({ label: Label, creator: Requester }),
  /** Of the tool, not of the record: a switch does not change it. */
  version: z.int().min(1),
})
export type CustomTool = z.infer<typeof CustomTool>

export function readCustomTool({ data }: Pick<StoredRecord, 'data'>): CustomTool | undefined {
  return CustomTool.safeParse(data).data
}

/** As it is kept: optional fields that are not given are not there. */
export function customToolData(tool: CustomTool): JsonObject {
  return JSON.parse(JSON.stringify(tool)) as JsonObject
}

export function missingTool(name: string): string {
  return `There is no custom tool ${name}. See what there is with list_custom_tools.`
}
