/** Owns the words in which rules and loosenings are said, in each language. How they are put together is elsewhere. */
import { type Language, tierNames } from '@countersign/contract'

export interface RuleWords {
  readonly allow: (what: string) => string
  readonly ask: (what: string) => string
  readonly refuse: (what: string) => string
  readonly when: (clause: string, condition: string) => string
  readonly unless: (clause: string, condition: string) => string
  /** A sentence after the rule: it holds also for work that was begun elsewhere. */
  readonly handedOn: string
  readonly anything: string
  readonly tool: (name: string) => string
  readonly category: (name: string) => string
  readonly by: (what: string, who: string) => string
  readonly requesters: Readonly<Record<string, string>>
  readonly requester: (id: string) => string
  /** As a condition: that it was asked for by somebody. */
  readonly asked: (who: string) => string
  readonly and: string
  readonly or: string
  readonly not: (clause: string) => string
  /** For the attributes that are true or false: when they are, and when they are not. */
  readonly flags: Readonly<Record<string, readonly [yes: string, no: string]>>
  readonly tiers: readonly string[]
  readonly tier: (comparison: string, name: string) => string
  readonly is: (attribute: string, value: string) => string
  readonly isNot: (attribute: string, value: string) => string
  readonly contains: (set: string, value: string) => string
  readonly only: (set: string, values: string) => string
  readonly attributes: Readonly<Record<string, string>>
  /** For sets: when they are empty, and when they are not. */
  readonly empties: Readonly<Record<string, readonly [empty: string, not: string]>>
  /** Where no words are known for it. */
  readonly asWritten: (text: string) => string
  readonly loosenings: {
    readonly level: (from: string, to: string) => string
    readonly 'level-read': (rule: string) => string
    readonly allows: (rule: string) => string
    readonly 'no-longer-forbids': (rule: string) => string
    readonly 'no-longer-fails': (rule: string) => string
    readonly passkey: (tool: string) => string
  }
}

const english: RuleWords = {
  allow: (what) => `Allow ${what}`,
  ask: (what) => `Ask before ${what}`,
  refuse: (what) => `Refuse ${what}`,
  when: (clause, condition) => `${clause} when ${condition}`,
  unless: (clause, condition) => `${clause}, unless ${condition}`,
  handedOn: 'It holds also for work that they hand on.',
  anything: 'any call',
  tool: (name) => `calls of ${name}`,
  category: (name) => `calls of the group ${name}`,
  by: (what, who) => `${what} that ${who}`,
  requesters: {
    operator: 'you ask for',
    peer: 'a paired person asks for',
    schedule: 'an automation asks for',
    webhook: 'a webhook asks for',
  },
  requester: (id) => `${id} asks for`,
  asked: (who) => `${who} it`,
  and: ' and ',
  or: ' or ',
  not: (clause) => `not (${clause})`,
  flags: {
    approved: ['you approved it', 'you did not approve it'],
    granted: ['a grant covers it', 'no grant covers it'],
    unattended: ['nobody is watching', 'you are there'],
    unproven: ['an e-mail of an unproven sender was read', 'no e-mail of an unproven sender was read'],
    reads: ['it reads something', 'it reads nothing'],
    changes: ['it changes something', 'it changes nothing'],
    egress: ['something leaves this computer', 'nothing leaves this computer'],
    outward: ['others see it', 'nobody else sees it'],
    irreversible: ['it cannot be undone', 'it can be undone'],
    uninspectable: ['it cannot be inspected', 'it can be inspected'],
    outside: ['it looks outside the workspace', 'it stays in the workspace'],
    fresh: ['it makes a new document', 'it makes no new document'],
    named: ['it writes a document that you named', 'it writes no document that you named'],
    asked: ['your words asked for it', 'your words did not ask for it'],
    look: ['it is a plain look at the web', 'it is no plain look at the web'],
    question: ['your own words ask it', 'your own words do not ask it'],
    reader: ['it is a look of a reader', 'it is no look of a reader'],
  },
  tiers: tierNames.en,
  tier: (comparison, name) =>
    ({
      '<=': `it is “${name}” or less`,
      '<': `it is less than “${name}”`,
      '>=': `it is “${name}” or more`,
      '>': `it is more than “${name}”`,
      '==': `it is “${name}”`,
      '!=': `it is not “${name}”`,
    })[comparison] ?? '',
  is: (attribute, value) => `${attribute} is ${value}`,
  isNot: (attribute, value) => `${attribute} is not ${value}`,
  contains: (set, value) => `${set} ${value}`,
  only: (set, values) => `${set} only ${values}`,
  attributes: {
    autonomy: 'the level',
    integrity: 'the content it acts on',
    confidentiality: 'the data in reach',
    agent: 'the agent',
    goal: 'the goal',
    session: 'the conversation',
    channel: 'the channel',
    chat: 'the chat',
    peer: 'the person',
    hosts: 'it reaches',
    methods: 'it uses the method',
    paths: 'it touches',
    folders: 'it touches something in',
    secrets: 'it uses the secret',
    server: 'the server',
    serverTool: 'the tool of the server',
  },
  empties: {
    secrets: ['it uses no secret', 'it uses a secret'],
    hosts: ['it reaches no host', 'it reaches a host'],
    paths: ['it touches no file', 'it touches a file'],
  },
  asWritten: (text) => `“${text}”`,
  loosenings: {
    level: (from, to) => `The level goes up from ${from} to ${to}.`,
    'level-read': (rule) => `The rule ${rule} depends on the level.`,
    allows: (rule) => `The rule ${rule} allows something.`,
    'no-longer-forbids': (rule) => `The rule ${rule} no longer asks or refuses.`,
    'no-longer-fails': (rule) => `The rule ${rule} goes, which could stop every call.`,
    passkey: (tool) => `${tool} no longer needs your passkey.`,
  },
}

const german: RuleWords = {
  allow: (what) => `Erlauben: ${what}`,
  ask: (what) => `Vorher fragen: ${what}`,
  refuse: (what) => `Ablehnen: ${what}`,
  when: (clause, condition) => `${clause}, wenn ${condition}`,
  unless: (clause, condition) => `${clause}, außer wenn ${condition}`,
  handedOn: 'Das gilt auch für Arbeit, die sie weitergeben.',
  anything: 'jeder Aufruf',
  tool: (name) => `Aufrufe von ${name}`,
  category: (name) => `Aufrufe der Gruppe ${name}`,
  by: (what, who) => `${what}, ${who}`,
  requesters: {
    operator: 'von dir verlangt',
    peer: 'von einer gekoppelten Person verlangt',
    schedule: 'von einer Automation verlangt',
    webhook: 'von einem Webhook verlangt',
  },
  requester: (id) => `von ${id} verlangt`,
  asked: (who) => `er ${who} ist`,
  and: ' und ',
  or: ' oder ',
  not: (clause) => `nicht (${clause})`,
  flags: {
    approved: ['du ihn freigegeben hast', 'du ihn nicht freigegeben hast'],
    granted: ['eine Erlaubnis ihn umfasst', 'keine Erlaubnis ihn umfasst'],
    unattended: ['niemand zusieht', 'du dabei bist'],
    unproven: [
      'eine E-Mail mit unbelegtem Absender gelesen wurde',
      'keine E-Mail mit unbelegtem Absender gelesen wurde',
    ],
    reads: ['er etwas liest', 'er nichts liest'],
    changes: ['er etwas ändert', 'er nichts ändert'],
    egress: ['etwas diesen Computer verlässt', 'nichts diesen Computer verlässt'],
    outward: ['andere ihn sehen', 'niemand sonst ihn sieht'],
    irreversible: ['er nicht rückgängig zu machen ist', 'er rückgängig zu machen ist'],
    uninspectable: ['er nicht einsehbar ist', 'er einsehbar ist'],
    outside: ['er außerhalb des Arbeitsordners liest', 'er im Arbeitsordner bleibt'],
    fresh: ['er ein neues Dokument anlegt', 'er kein neues Dokument anlegt'],
    named: [
      'er ein Dokument schreibt, das du genannt hast',
      'er kein Dokument schreibt, das du genannt hast',
    ],
    asked: ['deine Worte darum gebeten haben', 'deine Worte nicht darum gebeten haben'],
    look: ['er ein einfacher Blick ins Netz ist', 'er kein einfacher Blick ins Netz ist'],
    question: ['deine eigenen Worte danach fragen', 'deine eigenen Worte nicht danach fragen'],
    reader: ['er ein Blick eines Lesers ist', 'er kein Blick eines Lesers ist'],
  },
  tiers: tierNames.de,
  tier: (comparison, name) =>
    ({
      '<=': `er höchstens „${name}“ ist`,
      '<': `er weniger als „${name}“ ist`,
      '>=': `er mindestens „${name}“ ist`,
      '>': `er mehr als „${name}“ ist`,
      '==': `er „${name}“ ist`,
      '!=': `er nicht „${name}“ ist`,
    })[comparison] ?? '',
  is: (attribute, value) => `${attribute} ${value} ist`,
  isNot: (attribute, value) => `${attribute} nicht ${value} ist`,
  contains: (set, value) => `${set} ${value}`,
  only: (set, values) => `${set} nur ${values}`,
  attributes: {
    autonomy: 'die Stufe',
    integrity: 'der Inhalt, auf dem er beruht,',
    confidentiality: 'was in Reichweite ist,',
    agent: 'der Agent',
    goal: 'das Ziel',
    session: 'die Unterhaltung',
    channel: 'der Kanal',
    chat: 'der Chat',
    peer: 'die Person',
    hosts: 'er geht an',
    methods: 'er hat die Methode',
    paths: 'er betrifft',
    folders: 'er betrifft etwas in',
    secrets: 'er benutzt das Geheimnis',
    server: 'der Server',
    serverTool: 'das Werkzeug des Servers',
  },
  empties: {
    secrets: ['er kein Geheimnis benutzt', 'er ein Geheimnis benutzt'],
    hosts: ['er an keinen Host geht', 'er an einen Host geht'],
    paths: ['er keine Datei betrifft', 'er eine Datei betrifft'],
  },
  asWritten: (text) => `„${text}“`,
  loosenings: {
    level: (from, to) => `Die Stufe steigt von ${from} auf ${to}.`,
    'level-read': (rule) => `Die Regel ${rule} hängt von der Stufe ab.`,
    allows: (rule) => `Die Regel ${rule} erlaubt etwas.`,
    'no-longer-forbids': (rule) => `Die Regel ${rule} fragt oder lehnt nicht mehr ab.`,
    'no-longer-fails': (rule) => `Die Regel ${rule} fällt weg, die jeden Aufruf aufhalten könnte.`,
    passkey: (tool) => `${tool} braucht deinen Passkey nicht mehr.`,
  },
}

export const ruleWords: Readonly<Record<Language, RuleWords>> = { en: english, de: german }
