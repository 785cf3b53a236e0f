/** Owns the words in which a card says why it asks and what would make it stop, in each language. */
import type { Autonomy, Language } from '@countersign/contract'
import type { FixedCause, LikelyAction, Strangers, Target } from './cause.ts'

export interface AskingWords {
  /** Of what lies in the call itself, and of everything else. */
  readonly always: (clause: string) => string
  readonly because: (clause: string) => string
  readonly causes: Readonly<Record<FixedCause, string>>
  readonly ownRule: (why: string) => string
  readonly strangers: (read: string, would: string) => string
  readonly strangersAndPrivate: (read: string, would: string) => string
  readonly read: Readonly<Record<Strangers, string>>
  readonly would: Readonly<Record<LikelyAction, string>>
  readonly targets: Readonly<Record<Target, string>>
  readonly levels: Readonly<Record<Autonomy, string>>
  readonly ends: {
    readonly scopes: (target: string) => string
    readonly rule: (target: string) => string
    readonly 'untrusted-rule': (target: string) => string
    readonly unread: (read: string) => string
    readonly 'unread-rule': (read: string) => string
    readonly 'own-rule': string
    readonly policy: string
    readonly level: (level: string) => string
    readonly nothing: string
  }
}

const english: AskingWords = {
  always: (clause) => `Always asks: ${clause}.`,
  because: (clause) => `Asks because ${clause}.`,
  causes: {
    authority: 'it opens a credential or changes who is in charge',
    passkey: 'this kind of action needs your passkey every time',
    money: 'money leaves your hands',
    secret: 'it uses a secret of yours',
    program: 'nobody can list beforehand what a program does',
    sent: 'others will see what is sent',
    seen: 'others will see it',
    permanent: 'it cannot be undone',
    'runs-by-itself': 'programs of this computer run what it changes by themselves',
    kind: 'you decide about this kind of action each time',
    deceptive: 'a name in it can be mistaken for another',
    inner: 'the address is not on the public internet',
    'lets-in': 'it decides what may be used that others made',
    'server-outward': 'you accepted this tool of a server as one that leaves your hands',
    'server-critical': 'you accepted this tool of a server as critical',
    'secret-seen': 'this task has seen a secret, and something would leave this computer',
    webhook: 'a webhook wants more than a look',
    peer: 'another person wants more than a look',
    private: 'this task has seen something private, and something would leave this computer',
    outside: 'it looks at a file outside the workspace',
    schedule: 'an automation would cross a boundary',
    unattended: 'nobody is watching, and it would cross a boundary',
    level: 'at this level everything asks',
    host: 'it reaches another host',
    leaves: 'something would leave this computer',
    'run-by-programs': 'programs that you start run what it writes',
    opens: 'it opens files to other users of this machine',
    removes: 'it removes what was there before',
    changes: 'changes ask at this level',
    looks: 'nothing you set up allows it',
  },
  ownRule: (why) => (why === '' ? 'a rule of yours says so' : `a rule of yours says so: “${why}”`),
  strangers: (read, would) => `this task has read ${read} and would ${would}`,
  strangersAndPrivate: (read, would) =>
    `this task has read ${read} and something private, and would ${would}`,
  read: { page: 'a web page', content: 'content from strangers' },
  would: {
    reach: 'reach another host',
    change: 'change something',
    look: 'look outside the workspace',
    act: 'act on it',
  },
  targets: { file: 'this file', host: 'this host', targets: 'the same targets' },
  levels: { none: 'none', low: 'low', medium: 'medium', high: 'high', full: 'full' },
  ends: {
    scopes: (target) =>
      `Allowed for a run, a session or 30 minutes, it stops for ${target} until the task reads words of strangers.`,
    rule: (target) =>
      `With a rule for ${target}, it runs without asking in tasks that have read no words of strangers.`,
    'untrusted-rule': (target) =>
      `A rule for ${target} can allow it even after words of strangers; it says what they can do with it.`,
    unread: (read) => `It would not ask in a task that has not read ${read}.`,
    'unread-rule': (read) => `A rule can allow it in tasks that have not read ${read}.`,
    'own-rule': 'You can change that rule on the Policy page.',
    policy: 'You can allow it with a rule of your own on the Policy page.',
    level: (level) => `It would not ask at the level “${level}”.`,
    nothing: 'Nothing that you can allow in advance covers it.',
  },
}

const german: AskingWords = {
  always: (clause) => `Fragt immer, weil ${clause}.`,
  because: (clause) => `Fragt, weil ${clause}.`,
  causes: {
    authority: 'es Zugangsdaten öffnet oder ändert, wer bestimmt',
    passkey: 'diese Art von Aktion jedes Mal deinen Passkey braucht',
    money: 'Geld aus deiner Hand geht',
    secret: 'es ein Geheimnis von dir benutzt',
    program: 'sich nicht vorher auflisten lässt, was ein Programm tut',
    sent: 'andere sehen, was gesendet wird',
    seen: 'andere es sehen',
    permanent: 'es sich nicht rückgängig machen lässt',
    'runs-by-itself': 'Programme dieses Computers von selbst ausführen, was es ändert',
    kind: 'du über diese Art von Aktion jedes Mal entscheidest',
    deceptive: 'ein Name darin mit einem anderen verwechselt werden kann',
    inner: 'die Adresse nicht im öffentlichen Internet liegt',
    'lets-in': 'es bestimmt, was von anderen benutzt werden darf',
    'server-outward': 'du dieses Werkzeug eines Servers als eines angenommen hast, das aus deiner Hand geht',
    'server-critical': 'du dieses Werkzeug eines Servers als kritisch angenommen hast',
    'secret-seen': 'diese Aufgabe ein Geheimnis gesehen hat und etwas diesen Computer verlassen würde',
    webhook: 'ein Webhook mehr als einen Blick will',
    peer: 'eine andere Person mehr als einen Blick will',
    private: 'diese Aufgabe Privates gesehen hat und etwas diesen Computer verlassen würde',
    outside: 'es eine Datei außerhalb des Arbeitsordners ansieht',
    schedule: 'eine Automation eine Grenze überschreiten würde',
    unattended: 'niemand zusieht und es eine Grenze überschreiten würde',
    level: 'auf dieser Stufe alles gefragt wird',
    host: 'es einen anderen Host erreicht',
    leaves: 'etwas diesen Computer verlassen würde',
    'run-by-programs': 'Programme, die du startest, ausführen, was es schreibt',
    opens: 'es Dateien für andere Benutzer dieses Rechners öffnet',
    removes: 'es entfernt, was vorher da war',
    changes: 'auf dieser Stufe vor Änderungen gefragt wird',
    looks: 'nichts, was du eingerichtet hast, es erlaubt',
  },
  ownRule: (why) => (why === '' ? 'eine Regel von dir es sagt' : `eine Regel von dir es sagt: „${why}“`),
  strangers: (read, would) => `diese Aufgabe ${read} gelesen hat und ${would} würde`,
  strangersAndPrivate: (read, would) => `diese Aufgabe ${read} und Privates gelesen hat und ${would} würde`,
  read: { page: 'eine Webseite', content: 'Inhalte von Fremden' },
  would: {
    reach: 'einen anderen Host erreichen',
    change: 'etwas ändern',
    look: 'außerhalb des Arbeitsordners lesen',
    act: 'danach handeln',
  },
  targets: { file: 'diese Datei', host: 'diesen Host', targets: 'dieselben Ziele' },
  levels: { none: 'Keine', low: 'Niedrig', medium: 'Mittel', high: 'Hoch', full: 'Voll' },
  ends: {
    scopes: (target) =>
      `Für einen Lauf, eine Sitzung oder 30 Minuten erlaubt, endet es für ${target}, bis sie Worte Fremder liest.`,
    rule: (target) =>
      `Mit einer Regel für ${target} läuft es ohne Rückfrage, solange die Aufgabe nichts von Fremden gelesen hat.`,
    'untrusted-rule': (target) =>
      `Eine Regel für ${target} kann es auch nach Worten Fremder erlauben; sie sagt, was diese damit können.`,
    unread: (read) => `In einer Aufgabe, die nicht ${read} gelesen hat, würde es nicht fragen.`,
    'unread-rule': (read) => `Eine Regel kann es in Aufgaben erlauben, die nicht ${read} gelesen haben.`,
    'own-rule': 'Du kannst diese Regel auf der Seite „Richtlinien“ ändern.',
    policy: 'Du kannst es mit einer eigenen Regel auf der Seite „Richtlinien“ erlauben.',
    level: (level) => `Auf der Stufe „${level}“ würde es nicht fragen.`,
    nothing: 'Nichts, was du im Voraus erlauben kannst, umfasst es.',
  },
}

export const askingWords: Readonly<Record<Language, AskingWords>> = { en: english, de: german }
