import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../accounts.ts'

export const accounts: Translation<typeof words> = {
  more: 'Mehr',
  add: 'Hinzufügen',
  save: 'Speichern',
  change: 'Ändern',
  changeTitle: (name) => `${name} ändern`,
  stored: (name, ledger) => `${name} wurde gespeichert. Ledger #${ledger}.`,
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removed: (name, ledger) => `${name} wurde entfernt. Ledger #${ledger}.`,
  never: 'nie',
  name: 'Name',
  nameHint: 'Ein kurzer Name für dieses Konto. Dein Assistent benutzt ihn.',
  nameTaken: 'Ein Konto mit diesem Namen gibt es schon.',
  nameProblem: 'Kleinbuchstaben, Ziffern, - und _, mit einem Buchstaben am Anfang.',
  user: 'Benutzername',
  userOptional: 'Benutzername (wahlfrei)',
  userProblem: 'Gib den Namen an, mit dem du dich anmeldest.',
  lineProblem: 'Eine Zeile, und nicht so lang.',
  passwordLabel: 'Passwort',
  passwordHint:
    'Nimm ein App-Passwort, wo dein Anbieter welche hat. Es liegt im Tresor, nur für diese Server, und wird nie wieder angezeigt.',
  newPassword: 'Neues Passwort (wahlfrei)',
  newPasswordHint: 'Leer lassen, um das im Tresor zu behalten.',
  passwordNeeded: 'Gib das Passwort an.',
  passwordProblem: 'Mindestens 8 Zeichen, davon mindestens 4 verschiedene.',
  mail: {
    list: {
      title: 'E-Mail',
      about:
        'Konten, die dein Assistent lesen darf, und mit denen er schreibt, wenn du zustimmst. Bei Google und Microsoft füge es in einem Terminal hinzu: countersign mail add --help zeigt, wie du dich dort anmeldest.',
      none: 'Du hast kein E-Mail-Konto hinzugefügt.',
      add: 'E-Mail-Konto hinzufügen',
    },
    addTitle: 'E-Mail-Konto hinzufügen',
    storedButOff: (name, ledger) =>
      `${name} wurde gespeichert. Schalte die E-Mail-Werkzeuge unter Werkzeuge ein. Ledger #${ledger}.`,
    test: 'Verbindung prüfen',
    works: (name) => `${name} ist erreichbar und lässt dich ein.`,
    address: 'Adresse',
    addressProblem: 'Eine Adresse, etwa ich@example.org.',
    imap: {
      label: 'Liest von (IMAP)',
      hint: 'Der Server deines Anbieters für eingehende Mail.',
      example: 'imap.example.org',
    },
    smtp: {
      label: 'Sendet über (SMTP)',
      hint: 'Der Server deines Anbieters für ausgehende Mail.',
      example: 'smtp.example.org',
    },
    serverProblems: {
      unclear: 'Ein Server, etwa imap.example.org oder mail.example.org:143.',
      unencrypted: 'Ohne Verschlüsselung ist nur dieser Rechner erreichbar.',
    },
    security: 'Verschlüsselung',
    securities: {
      usual: 'Wie für den Port üblich',
      tls: 'TLS',
      starttls: 'STARTTLS',
      none: 'Keine (nur dieser Rechner)',
    },
    userHint: 'Leer lassen, wenn es deine Adresse ist.',
    displayNameOptional: 'Dein Name in E-Mails (wahlfrei)',
    displayNameHint: 'Steht neben deiner Adresse.',
    openedBy: 'Geöffnet mit',
    password: { kept: 'einem Passwort im Tresor', missing: 'keinem Passwort' },
    signIn: {
      kept: 'einer Anmeldung im Tresor',
      missing: 'abgemeldet',
      inTerminal: 'Melde dich in einem Terminal an.',
    },
    removeAbout:
      'Passwort oder Anmeldung werden hier gelöscht. Bei deinem Anbieter gelten sie, bis du sie dort widerrufst. E-Mails bleiben auf dem Server.',
    examples: {
      name: 'arbeit',
      address: 'ich@example.org',
    },
  },
  calendar: {
    list: {
      title: 'Kalender und Kontakte',
      about: 'Server (CalDAV und CardDAV), mit denen deine Termine und Kontakte gleich gehalten werden.',
      none: 'Du hast kein Kalenderkonto hinzugefügt.',
      add: 'Kalenderkonto hinzufügen',
    },
    addTitle: 'Kalenderkonto hinzufügen',
    server: 'Server',
    serverHint: 'Die Adresse, die dein Anbieter für CalDAV nennt.',
    serverProblem: 'Eine Adresse wie https://dav.example.org/. Ohne TLS ist nur localhost erreichbar.',
    direction: 'Richtung',
    directions: {
      both: 'In beide Richtungen',
      new: 'In beide Richtungen, und Neues geht dorthin',
      pull: 'Nur vom Server',
    },
    bothHint: 'Was du hier änderst, wird dort geändert.',
    pullHint: 'Auf den Server wird nichts geschrieben.',
    receivesNew: 'Termine und Kontakte dorthin kopieren, die du hier hast oder hinzufügst',
    every: 'Alle so viele Minuten',
    everyProblem: 'Von 1 bis 1440 Minuten.',
    sync: 'Jetzt abgleichen',
    ended: ({ account, taken, removed, sent }) =>
      `${account}: ${taken} übernommen, ${removed} entfernt, ${sent} gesendet.`,
    conflicts: (count) =>
      plural(count, { one: '# Konflikt steht unten.', other: '# Konflikte stehen unten.' }),
    synced: 'Gleich gehalten',
    entries: (events, contacts) =>
      `${plural(events, { one: '# Termin', other: '# Termine' })}, ${plural(contacts, { one: '# Kontakt', other: '# Kontakte' })}`,
    lastSync: 'Letzter Abgleich',
    asking: (count) =>
      plural(count, { one: '# Änderung wartet auf dich.', other: '# Änderungen warten auf dich.' }),
    review: 'Ansehen',
    staysHere: (count) =>
      plural(count, {
        one: '# Änderung bleibt hier, weil du sie abgelehnt hast.',
        other: '# Änderungen bleiben hier, weil du sie abgelehnt hast.',
      }),
    unreadable: (count) =>
      plural(count, {
        one: '# Eintrag ist nicht lesbar und bleibt auf dem Server.',
        other: '# Einträge sind nicht lesbar und bleiben auf dem Server.',
      }),
    removeAbout:
      'Das Passwort wird hier gelöscht. Termine und Kontakte bleiben hier und auf dem Server. Bei deinem Anbieter gilt ein App-Passwort, bis du es dort widerrufst.',
    examples: { name: 'privat', server: 'https://dav.example.org/' },
  },
  conflicts: {
    title: 'Konflikte',
    about:
      'Diese wurden hier und auf dem Server geändert. Behalte eine Seite; die andere folgt mit dem nächsten Abgleich.',
    kinds: { event: 'Termin', contact: 'Kontakt' },
    field: 'Was',
    mine: 'Hier',
    theirs: 'Auf dem Server',
    nothing: 'nichts',
    keep: { mine: 'Behalten, was hier steht', theirs: 'Behalten, was der Server hat' },
    settled: { mine: 'Behalten, was hier steht.', theirs: 'Behalten, was der Server hat.' },
  },
}
