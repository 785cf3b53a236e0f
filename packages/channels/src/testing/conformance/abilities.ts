/** Owns what a channel can be asked to do in the cases, and how many cases must ask for each. */
import type { ChannelManifest } from '../../frame/manifest.ts'
import type { TestPlatform } from '../platform.ts'

/** How many cases need it at least. A case that is taken away is seen here. */
export const least = {
  send: 20,
  receive: 20,
  groups: 6,
  edit: 4,
  typing: 1,
  buttons: 2,
  files: 3,
  once: 2,
  proof: 1,
  presses: 3,
  answers: 2,
  forwarded: 1,
  threads: 2,
  bots: 1,
  edits: 2,
  deletes: 1,
  repeats: 1,
  'files-in': 6,
  voice: 1,
  newlines: 1,
  /** The platform keeps what is said while the channel is not there. */
  keeps: 5,
  /** What was sent has an id that people there see too. */
  ids: 1,
  /** The platform says that there is no such chat. */
  nowhere: 1,
  'slow-down': 1,
  refused: 1,
  'lost-before': 1,
  'lost-after': 1,
  /** The platform can tell a wrong secret. */
  secrets: 1,
  /** Something is held open or asked again and again, so that it is noticed when the platform is away. */
  connection: 3,
  /** It is part of the product, with a process of its own. */
  process: 1,
} as const

export type Ability = keyof typeof least

/** What the manifest says is not to be excused. */
type FromManifest =
  | 'send'
  | 'receive'
  | 'groups'
  | 'edit'
  | 'typing'
  | 'buttons'
  | 'files'
  | 'once'
  | 'proof'
  | 'process'

/** What this platform or its test server cannot do, with the reason. */
export type Without = Readonly<Partial<Record<Exclude<Ability, FromManifest>, string>>>

const builtOn: Readonly<Partial<Record<Ability, readonly Ability[]>>> = {
  groups: ['receive'],
  proof: ['receive'],
  presses: ['receive', 'buttons'],
  answers: ['receive', 'groups'],
  forwarded: ['receive'],
  threads: ['receive', 'groups'],
  bots: ['receive', 'groups'],
  edits: ['receive'],
  deletes: ['receive'],
  repeats: ['receive'],
  'files-in': ['receive'],
  voice: ['receive', 'files-in'],
  keeps: ['receive'],
}

export function abilitiesOf(
  manifest: ChannelManifest,
  without: Without,
  /** It is part of the product. */
  isOurs: boolean,
): ReadonlySet<Ability> {
  const excused = new Set<string>(Object.keys(without))
  const said: Readonly<Partial<Record<Ability, boolean>>> = {
    receive: manifest.direction === 'both',
    groups: manifest.can.groups,
    edit: manifest.can.edit,
    typing: manifest.can.typing,
    buttons: manifest.can.buttons,
    files: manifest.files !== null,
    once: manifest.sendsOnce,
    proof: manifest.proves === 'sender',
    secrets: manifest.secrets.length > 0,
    process: isOurs,
  }
  const has = (ability: Ability): boolean =>
    said[ability] !== false && !excused.has(ability) && (builtOn[ability] ?? []).every(has)
  return new Set((Object.keys(least) as Ability[]).filter(has))
}

/** What the test platform lacks although nobody said so. */
export function missingFrom(platform: TestPlatform, abilities: ReadonlySet<Ability>): Ability[] {
  const there: Readonly<Partial<Record<Ability, boolean>>> = {
    groups: platform.chats.group !== null,
    presses: platform.presses !== undefined,
    threads: platform.thread !== undefined,
    bots: platform.people.bot !== undefined,
    edits: platform.edits !== undefined,
    deletes: platform.deletes !== undefined,
    repeats: platform.repeats !== undefined,
    nowhere: platform.nowhere !== undefined,
    'slow-down': platform.fail !== undefined,
    refused: platform.fail !== undefined,
    'lost-before': platform.fail !== undefined,
    'lost-after': platform.fail !== undefined,
  }
  return [...abilities].filter((ability) => there[ability] === false)
}
