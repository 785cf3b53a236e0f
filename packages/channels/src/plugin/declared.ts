/**
 * Owns what the channel of a plugin says of itself in its manifest, and what the product makes of it. The check of its settings
 * is made here, from a list of fields, so that nothing of a stranger decides what fits.
 */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

export interface DeclaredField {
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'list'
  /** What it is for, where it is asked for. */
  readonly about: string
  /** Of a choice: what there is to choose from. */
  readonly choices?: readonly string[]
  readonly optional?: boolean
}

export interface DeclaredChannel
  extends Pick<
    ChannelManifest,
    'title' | 'about' | 'steps' | 'text' | 'files' | 'can' | 'sendsOnce' | 'proves'
  > {
  readonly settings: Readonly<Record<string, DeclaredField>>
  /** Its one credential: what it is called and where one gets it. Null where it needs none. */
  readonly secret: string | null
}

/** By which the channel of a plugin is given its credential. */
export const declaredSecret = 'credential'

export function declaredManifest(kind: string, declared: DeclaredChannel): ChannelManifest {
  const { title, about, steps, settings, secret, text, files, can, sendsOnce, proves } = declared
  const fields = Object.entries(settings).map(([name, field]) => [name, fieldType(field)] as const)
  return {
    kind,
    title,
    about,
    steps,
    settings: z.strictObject(Object.fromEntries(fields)),
    secrets: secret === null ? [] : [{ name: declaredSecret, label: secret }],
    text,
    files,
    can,
    sendsOnce,
    proves,
    // Its author could press the button.
    decides: 0,
    web: false,
    direction: 'both',
  }
}

function fieldType({ kind, about, choices = [], optional = false }: DeclaredField): z.ZodType {
  const type = {
    text: () => z.string().min(1).max(500),
    number: () => z.number(),
    flag: () => z.boolean(),
    choice: () => z.enum(choices),
    list: () => z.array(z.string().min(1).max(300)).max(100),
  }
    [kind]()
    .describe(about)
  return optional ? type.optional() : type
}
