/** Owns how a grant is said to a person: what it allows, where, how often, until when, and where it stops. */
import type { Language } from '@countersign/contract'
import type { FolderOp, GrantCover } from './cover.ts'

export interface GrantTerms {
  readonly where: 'run' | 'session' | 'agent' | 'goal' | 'everywhere'
  /** Null for as often as it comes. */
  readonly uses: number | null
  readonly minutes: number
  /** It holds after untrusted content was read as well. */
  readonly untrusted: boolean
}

/** No sentence promises more than `isGrantable` lets through, or hides what strangers can do with it. */
export function grantSentence(
  tool: string,
  covers: readonly GrantCover[],
  terms: GrantTerms,
  language: Language = 'en',
): string {
  const words = grantWords[language]
  const often = terms.uses === null ? words.anyTimes : words.times(terms.uses)
  const what = covers.map((cover) => coverWords(cover, language)).join(', ')
  const limit = terms.untrusted ? words.also(warningsOf(covers, words)) : words.asksAgain
  return `${tool}: ${what} ${words.where[terms.where]}, ${often}, ${spanWords(terms.minutes, words)}; ${limit}`
}

export function coverWords(cover: GrantCover, language: Language = 'en'): string {
  const words = grantWords[language]
  switch (cover.type) {
    case 'call':
      return words.call
    case 'file':
      return words.file[cover.op](placeOf(cover.path, words))
    case 'url':
      return words.host(addressOf(cover), cover.method)
    case 'folder':
      return words.folder[cover.op](placeOf(cover.path, words) || words.workspace)
    case 'host':
      return words.host(addressOf(cover), 'GET, HEAD')
    case 'tool':
      return words.tool
  }
}

interface GrantWords {
  readonly call: string
  readonly tool: string
  readonly workspace: string
  readonly elsewhere: (path: string) => string
  readonly file: Readonly<Record<'read' | 'list' | 'write' | 'delete', (path: string) => string>>
  readonly folder: Readonly<Record<FolderOp, (path: string) => string>>
  readonly host: (address: string, methods: string) => string
  readonly where: Readonly<Record<GrantTerms['where'], string>>
  readonly anyTimes: string
  readonly times: (count: number) => string
  readonly day: string
  readonly days: (count: number) => string
  readonly minutes: (count: number) => string
  readonly asksAgain: string
  readonly also: (warnings: readonly string[]) => string
  readonly warnings: {
    readonly call: string
    readonly look: (host: string) => string
    readonly create: string
    readonly change: string
  }
}

const english: GrantWords = {
  call: 'this exact call',
  tool: 'whatever it touches in the workspace or looks at on the network',
  workspace: 'the whole workspace',
  elsewhere: (path) => `${path} on this computer`,
  file: {
    read: (path) => `read ${path}`,
    list: (path) => `list ${path}`,
    write: (path) => `write ${path}`,
    delete: (path) => `delete ${path}`,
  },
  folder: {
    read: (path) => `read in ${path}`,
    list: (path) => `list in ${path}`,
    create: (path) => `create plain files in ${path}`,
    change: (path) => `create or change plain files in ${path}`,
  },
  host: (address, methods) => `look at any address of ${address} with ${methods.replace(', ', ' or ')}`,
  where: {
    run: 'in this run',
    session: 'in this session',
    agent: 'for this agent',
    goal: 'for this goal',
    everywhere: 'anywhere',
  },
  anyTimes: 'as often as needed',
  times: (count) => `up to ${count} times`,
  day: 'for a day',
  days: (count) => `for ${count} days`,
  minutes: (count) => `for ${count} minutes`,
  asksAgain: 'a task that has read untrusted content asks again',
  also: (warnings) => `also in a task that has read untrusted content: ${warnings.join(', and ')}`,
  warnings: {
    call: 'it stays the same to the byte',
    look: (host) => `short addresses without a query run, and ${host} can then learn what that task knows`,
    create: 'strangers can then decide what new documents there say',
    change: 'strangers can then replace what documents there say, which you can undo',
  },
}

const german: GrantWords = {
  call: 'genau diesen Aufruf',
  tool: 'was es im Arbeitsordner berührt oder im Netz ansieht',
  workspace: 'dem ganzen Arbeitsordner',
  elsewhere: (path) => `${path} auf diesem Computer`,
  file: {
    read: (path) => `${path} lesen`,
    list: (path) => `${path} auflisten`,
    write: (path) => `${path} schreiben`,
    delete: (path) => `${path} löschen`,
  },
  folder: {
    read: (path) => `in ${path} lesen`,
    list: (path) => `in ${path} auflisten`,
    create: (path) => `in ${path} einfache Dateien anlegen`,
    change: (path) => `in ${path} einfache Dateien anlegen oder ändern`,
  },
  host: (address, methods) => `jede Adresse von ${address} mit ${methods.replace(', ', ' oder ')} ansehen`,
  where: {
    run: 'in diesem Lauf',
    session: 'in dieser Sitzung',
    agent: 'für diesen Agenten',
    goal: 'für dieses Ziel',
    everywhere: 'überall',
  },
  anyTimes: 'so oft wie nötig',
  times: (count) => `bis zu ${count}-mal`,
  day: 'für einen Tag',
  days: (count) => `für ${count} Tage`,
  minutes: (count) => `für ${count} Minuten`,
  asksAgain: 'eine Aufgabe, die Inhalte von Fremden gelesen hat, fragt wieder',
  also: (warnings) =>
    `auch in einer Aufgabe, die Inhalte von Fremden gelesen hat: ${warnings.join(', und ')}`,
  warnings: {
    call: 'er bleibt aufs Byte derselbe',
    look: (host) =>
      `kurze Adressen ohne Abfrage laufen, und ${host} kann dann erfahren, was diese Aufgabe weiß`,
    create: 'Fremde können dann bestimmen, was in neuen Dokumenten dort steht',
    change: 'Fremde können dann ersetzen, was in Dokumenten dort steht; das lässt sich rückgängig machen',
  },
}

const grantWords: Readonly<Record<Language, GrantWords>> = { en: english, de: german }

function warningsOf(covers: readonly GrantCover[], { warnings }: GrantWords): string[] {
  return [...new Set(covers.map((cover) => warningOf(cover, warnings)))]
}

function warningOf(cover: GrantCover, warnings: GrantWords['warnings']): string {
  if (cover.type === 'call') return warnings.call
  if (cover.type === 'url' || cover.type === 'host') return warnings.look(cover.host)
  return cover.type === 'folder' && cover.op === 'create' ? warnings.create : warnings.change
}

/** What lies outside of the workspace says so. */
function placeOf(path: string, words: GrantWords): string {
  const name = path.slice(path.indexOf(':') + 1)
  return path.startsWith('host:') ? words.elsewhere(name) : name
}

function addressOf({ scheme, host, port }: { scheme: string; host: string; port: number }): string {
  return `${scheme}://${host}:${port}`
}

function spanWords(minutes: number, words: GrantWords): string {
  if (minutes % 1440 === 0 && minutes > 1440) return words.days(minutes / 1440)
  return minutes === 1440 ? words.day : words.minutes(minutes)
}
