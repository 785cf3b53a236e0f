/**
 * Owns what a plugin says of the channel that it brings: everything that the gateway judges it by, read without running it.
 * All words in it are those of its author.
 */
import { z } from 'zod'

const words = (most: number) => z.string().trim().min(1).max(most)

/** A setting that is no secret, as the operator gives it. */
const ChannelField = z.strictObject({
  kind: z.enum(['text', 'number', 'flag', 'choice', 'list']),
  /** What it is for, where it is asked for. */
  about: words(300),
  /** Of a choice: what there is to choose from. */
  choices: z.array(words(100)).min(1).max(50).exactOptional(),
  /** It can be left out. */
  optional: z.boolean().default(false),
})

export const PluginChannel = z
  .strictObject({
    title: words(60).regex(/^[^\r\n]+$/, 'one line'),
    /** One sentence for whoever chooses. */
    about: words(300),
    /** What to do on the platform before it can be added, in order. */
    steps: z.array(words(500)).min(1).max(12),
    settings: z
      .record(
        z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/, 'a word that begins with a small letter'),
        ChannelField,
      )
      .default({}),
    /** Its one credential: what it is called and where one gets it. Null where it needs none. */
    secret: words(200).nullable(),
    /** How long one message may be. What is longer is split. */
    text: z.strictObject({
      most: z.int().min(100).max(100_000),
      unit: z.enum(['characters', 'bytes']),
    }),
    /** How large a file may be that is sent there, in bytes; null where none can be. */
    files: z
      .strictObject({
        most: z
          .int()
          .min(1)
          .max(32 * 1024 * 1024),
      })
      .nullable(),
    can: z.strictObject({
      edit: z.boolean(),
      typing: z.boolean(),
      buttons: z.boolean(),
      groups: z.boolean(),
    }),
    /** The platform takes a key with what is sent, and delivers what is sent again under it once. */
    sendsOnce: z.boolean(),
    /** `sender`: the platform shows who wrote, by an id that nobody else can have. */
    proves: z.enum(['sender', 'nothing']),
  })
  .superRefine(({ settings }, context) => {
    const names = Object.entries(settings)
    const wrong = names.find(([, { kind, choices }]) => (kind === 'choice') !== (choices !== undefined))
    if (wrong) context.addIssue(`the setting ${wrong[0]}: a choice has choices, and nothing else has`)
    if (names.length > 20) context.addIssue('more than 20 settings')
  })
export type PluginChannel = z.infer<typeof PluginChannel>

const prefix = 'plugin-'

/** No channel of the product has such a kind. */
export const pluginChannelKind = (plugin: string): string => `${prefix}${plugin}`
export const isPluginChannelKind = (kind: string): boolean => kind.startsWith(prefix)
export const pluginOfChannelKind = (kind: string): string => kind.slice(prefix.length)
