/**
 * A gateway that was taken over and composes requests freely: the card, the chain and the effects are its own, the
 * hashes fit, and the device seals what passes the checks of the terminal. The executor must still refuse all of it.
 */
import type { ApprovalSubject, Card, Permit, Preview } from '@countersign/contract'
import { sealFor, type TestHost } from '../../../../packages/executor/src/testing/host.ts'
import type { Random } from '../../../../packages/executor/src/testing/random.ts'
import {
  type ComposedApproval,
  type Composition,
  compose,
  isNoticed,
  sealAtTerminal,
} from './holes/compose.ts'

type Resolve = Parameters<typeof compose>[1]
type Call = Pick<Composition, 'tool' | 'args'>

export interface ComposedTrial {
  readonly name: string
  readonly permit: Permit
  /** The terminal would not have sealed it. */
  readonly isNoticed: boolean
}

/** What is shown and bound instead, made from the card of the call and the card of another. Undefined where it is the same. */
type Forgery = (own: Card, other: Card) => Pick<Composition, 'card' | 'subject'> | undefined

const shows = (change: (card: Card) => Partial<Card>): Pick<Composition, 'card'> => ({
  card: (card) => ({ ...card, ...change(card) }),
})

const forgeries: Record<string, Forgery> = {
  'card of another call': (own, { headline, preview, effects }) =>
    own.headline === headline ? undefined : shows(() => ({ headline, preview, effects })),
  'headline of another call': (own, { headline }) =>
    own.headline === headline ? undefined : shows(() => ({ headline })),
  'preview of another call': (own, { preview }) =>
    JSON.stringify(own.preview) === JSON.stringify(preview) ? undefined : shows(() => ({ preview })),
  'preview of another kind': ({ preview: { kind } }) =>
    shows(() => ({
      preview:
        kind === 'text'
          ? { kind: 'write', path: 'a', content: '' }
          : { kind: 'text', title: 'Text', text: 'text' },
    })),
  'preview cut': ({ preview }) => {
    const cut = cutPreview(preview)
    return cut && shows(() => ({ preview: cut }))
  },
  'effects left out': ({ effects }) => (effects.length === 0 ? undefined : shows(() => ({ effects: [] }))),
  'effects softened': ({ effects }) =>
    effects.every(({ reversible, outward, leaves }) => reversible && !outward && leaves.length === 0)
      ? undefined
      : shows(() => ({
          effects: effects.map((effect) => ({ ...effect, reversible: true, outward: false, leaves: [] })),
        })),
  'effects of another call': (own, { effects }) =>
    JSON.stringify(own.effects) === JSON.stringify(effects) ? undefined : shows(() => ({ effects })),
  'arguments of another call': (own, { args }) => (own.args === args ? undefined : shows(() => ({ args }))),
  'tool of another call': (own, { tool }) => (own.tool === tool ? undefined : shows(() => ({ tool }))),
  'tier lowered': ({ tier }) =>
    tier === 0
      ? undefined
      : {
          card: (card) => ({ ...card, tier: (tier - 1) as Card['tier'] }),
          subject: (subject) => ({ ...subject, tier: (tier - 1) as Card['tier'] }),
        },
  'resources of another call': () => ({ subject: (subject) => ({ ...subject, resources: [] }) }),
  'chain of another run': () =>
    chained((link) => (link.kind === 'run' ? { ...link, id: `${link.id.slice(0, -1)}x` } : link)),
  'chain of another agent': () =>
    chained((link) => (link.kind === 'agent' ? { ...link, id: 'other' } : link)),
  'chain of another tool': () =>
    chained((link) => (link.kind === 'tool' ? { ...link, id: 'x', name: 'x' } : link)),
  'chain of another who asked': () =>
    chained((link) => (link.kind === 'operator' ? { ...link, kind: 'schedule' } : link)),
}

export const composedNames = Object.keys(forgeries)

/** The trial of this number, or undefined where the forgery changes nothing about the call. */
export async function composedTrial(
  number: number,
  bench: { host: TestHost; random: Random; at: Date; calls: readonly Call[]; resolve: Resolve },
): Promise<ComposedTrial | undefined> {
  const { host, random, at, calls, resolve } = bench
  const name = composedNames[number % composedNames.length] ?? ''
  const own = random.pick(calls)
  const other = random.pick(calls)
  const card = async (call: Call) => (await compose(host, resolve, { ...call, at })).detail.approval.card
  const forgery = forgeries[name]?.(await card(own), await card(other))
  if (!forgery) return undefined
  const composed = await compose(host, resolve, { ...own, at, ...forgery })
  const sealed = sealAtTerminal(host, composed)
  return { name, permit: sealed ?? sealedAnyway(host, composed), isNoticed: isNoticed(host, composed) }
}

/** An honest request goes through the same hands and must be accepted. */
export async function composedControl(
  host: TestHost,
  call: Call,
  at: Date,
  resolve: Resolve,
): Promise<Permit> {
  const composed = await compose(host, resolve, { ...call, at })
  return sealAtTerminal(host, composed) ?? sealedAnyway(host, composed)
}

/** A careless person, or a tier that the gateway seals itself. */
function sealedAnyway(host: TestHost, { subject, at }: ComposedApproval): Permit {
  return { subject, seal: sealFor(host, subject, subject.tier >= 3 ? 'device' : 'gateway', at) }
}

function chained(
  change: (link: ApprovalSubject['chain'][number]) => ApprovalSubject['chain'][number],
): Pick<Composition, 'card' | 'subject'> {
  return {
    card: (card) => ({ ...card, chain: card.chain.map(change) }),
    subject: (subject) => ({ ...subject, chain: subject.chain.map(change) }),
  }
}

function cutPreview(preview: Preview): Preview | undefined {
  const cut = (text: string) => text.slice(0, Math.floor(text.length / 2))
  switch (preview.kind) {
    case 'shell':
      return { ...preview, command: cut(preview.command) }
    case 'write':
      return preview.content === '' ? undefined : { ...preview, content: cut(preview.content) }
    case 'http':
      return { ...preview, url: cut(preview.url) }
    case 'code':
      return { ...preview, code: cut(preview.code) }
    case 'text':
      return preview.text === '' ? undefined : { ...preview, text: cut(preview.text) }
    case 'table':
      return preview.rows.length === 0 ? undefined : { ...preview, rows: preview.rows.slice(1) }
  }
}
