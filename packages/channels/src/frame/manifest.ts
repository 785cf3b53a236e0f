/** Owns what a channel says about itself before it is started: what it needs, what its platform can do, and how far it is believed. */
import type { z } from 'zod'

export interface ChannelSecret {
  readonly name: string
  /** What it is called where it is asked for, and where one gets it. */
  readonly label: string
  readonly optional?: boolean
}

export interface ChannelManifest {
  readonly kind: string
  readonly title: string
  /** One sentence for whoever chooses. */
  readonly about: string
  /** What to do on the platform before it can be added, in order. */
  readonly steps: readonly string[]
  /** What is no secret: addresses, names, rooms. Strict, so that a misspelled setting is refused. */
  readonly settings: z.ZodType<Readonly<Record<string, unknown>>>
  readonly secrets: readonly ChannelSecret[]
  /** How long one message may be. What is longer is split. */
  readonly text: { readonly most: number; readonly unit: 'characters' | 'bytes' }
  /** How large a file may be that is sent there, in bytes; null where none can be. */
  readonly files: { readonly most: number } | null
  readonly can: {
    /** A message that was sent can be changed. */
    readonly edit: boolean
    readonly typing: boolean
    readonly buttons: boolean
    readonly groups: boolean
  }
  /** The platform takes a key with what is sent, and delivers what is sent again under it once. */
  readonly sendsOnce: boolean
  /** `sender`: the platform shows who wrote, by an id that nobody else can have. Where it does not, nobody is let in as the operator. */
  readonly proves: 'sender' | 'nothing'
  /** Up to which tier the operator's own account may decide in a private chat there. */
  readonly decides: 0 | 2
  /** The platform sends to an address of the gateway, `/hooks/channels/<name>`. */
  readonly web: boolean
  /** Where notices go though nobody is let in there as the operator: a place that the settings name. */
  readonly noticeChat?: (settings: Readonly<Record<string, unknown>>) => string | undefined
  /** Whether every run that ends is told there, as a notice. */
  readonly tellsEnds?: (settings: Readonly<Record<string, unknown>>) => boolean
  /** Which account it is, where the id that it connects under does not say it alone, or changes. */
  readonly identity?: (settings: Readonly<Record<string, unknown>>, id: string) => string
  /** `out` where nobody can write to it. */
  readonly direction: 'both' | 'out'
}
