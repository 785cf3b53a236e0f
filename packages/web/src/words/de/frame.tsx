import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../frame.tsx'

export const frame: Translation<typeof words> = {
  main: 'Hauptmenü',
  more: 'Mehr',
  skip: 'Zum Inhalt springen',
  settings: 'Einstellungen',
  setup: 'Einrichtung',
  waiting: 'offen',
  groups: {
    work: 'Arbeit',
    oversight: 'Aufsicht',
    knowledge: 'Wissen',
    system: 'System',
  },
  destinations: {
    today: 'Heute',
    chat: 'Chat',
    goals: 'Ziele',
    automations: 'Automatisierungen',
    agents: 'Agenten',
    approvals: 'Freigaben',
    activity: 'Aktivität',
    ledger: 'Ledger',
    policy: 'Richtlinien',
    costs: 'Kosten',
    library: 'Bibliothek',
    files: 'Dateien',
    memory: 'Gedächtnis',
    models: 'Modelle',
    tools: 'Werkzeuge',
    devices: 'Geräte',
    health: 'Zustand',
  },
  link: {
    connecting: 'Verbinden …',
    live: 'Live',
    upTo: (seq) => `Nr. ${seq}`,
    reconnecting: 'Neu verbinden …',
    behind: (count) => plural(count, { one: '# Ereignis zurück', other: '# Ereignisse zurück' }),
    offline: 'Offline',
    asOf: (seq) => `Stand: Nr. ${seq}`,
    refused: 'Abgemeldet',
    tryNow: 'Jetzt versuchen',
    noAnswer: 'Das Gateway antwortet nicht.',
  },
  bar: {
    search: 'Suchen',
    model: 'Modell',
    today: (spent) => `${spent} heute`,
    todayOf: (spent, limit) => `${spent} von ${limit} heute`,
  },
  banner: {
    ledgerReadOnly:
      'In das Ledger kann nicht geschrieben werden, deshalb läuft nichts. Speicherplatz freigeben oder die Datenbank reparieren.',
    policyInvalid: (problem) => <>Die Richtlinien können nicht geladen werden: {problem}</>,
    openPolicy: 'Richtlinien öffnen',
    ledgerBroken: (problem) => <>Die Prüfung des Ledgers ist fehlgeschlagen: {problem}</>,
    openLedger: 'Ledger öffnen',
    noExecutor: 'Der Executor läuft nicht, deshalb wird kein Aufruf ausgeführt.',
    openHealth: 'Zustand öffnen',
    paused: 'Alles ist angehalten',
    pausedBy: (who, when) => (
      <>
        von {who}, {when}. Läufe und Zeitpläne stehen still. Freigaben kannst du weiterhin erteilen.
      </>
    ),
    held: (reason) => <>Unbeaufsichtigte Arbeit ist angehalten: {reason}</>,
    openCosts: 'Kosten öffnen',
    offline:
      'Keine Verbindung. Du siehst den letzten bekannten Stand und kannst erst entscheiden, wenn das Gateway wieder antwortet.',
    refused: 'Das Gateway kennt diesen Browser nicht mehr.',
    pairAgain: 'Neu koppeln',
  },
  pause: {
    pause: 'Anhalten',
    title: 'Hält jeden Lauf und jeden Zeitplan an. Freigaben bleiben erhalten.',
    resume: 'Fortsetzen',
    paused: (ledger) => `Alles ist angehalten. Ledger #${ledger}.`,
    resumed: (ledger) => `Fortgesetzt. Ledger #${ledger}.`,
  },
  keys: {
    everywhere: 'Überall',
    goTo: 'Gehe zu',
    go: (title) => `Gehe zu ${title}`,
    palette: 'Suche und Befehle',
    help: 'Tastenkürzel anzeigen',
    pause: 'Alles anhalten',
    newest: 'Neueste Freigabe öffnen',
    copyLink: 'Link zu dieser Seite kopieren',
    nothingWaits: 'Nichts wartet auf dich.',
    linkCopied: 'Link kopiert.',
    linkNotCopied: 'Der Browser hat das Kopieren nicht erlaubt. Kopiere die Adresse aus der Adresszeile.',
    space: 'Leertaste',
    escape: 'Esc',
    control: 'Strg',
    title: 'Tastenkürzel',
    lettersOn:
      'Einzelne Buchstaben wirken nicht, während du tippst. In den Einstellungen lassen sie sich abschalten.',
    lettersOff: 'Einzelne Buchstaben sind in den Einstellungen abgeschaltet.',
  },
  palette: {
    label: 'Nach einer Seite, einem Befehl oder einem Eintrag suchen',
    placeholder: 'Suchen oder Befehl eingeben',
    results: 'Ergebnisse',
    none: 'Keine Treffer.',
    groups: {
      approvals: 'Freigaben',
      goTo: 'Gehe zu',
      screen: 'Auf dieser Seite',
      actions: 'Aktionen',
      conversations: 'Unterhaltungen',
      runs: 'Läufe',
      grants: 'Erlaubnisse',
    },
    resume: 'Alles fortsetzen',
    light: 'Helles Design verwenden',
    dark: 'Dunkles Design verwenden',
  },
  news: {
    one: (headline, tier, name, left) =>
      `Freigabe nötig: ${headline}, Stufe ${tier} ${name}, läuft ab in ${left}.`,
    many: (count) => plural(count, { other: '# Freigaben nötig.' }),
    expires: (headline, minutes) =>
      `${headline} läuft in ${plural(minutes, { one: '# Minute', other: '# Minuten' })} ab. Du kannst die Frist verlängern.`,
    minutes: (count) => plural(count, { one: '# Minute', other: '# Minuten' }),
    hours: (count) => plural(count, { one: '# Stunde', other: '# Stunden' }),
  },
  notFound: {
    title: 'Seite nicht gefunden',
    sentence:
      'Unter dieser Adresse gibt es keine Seite. Sie gehört vielleicht zu einer anderen Version, oder der Eintrag wurde gelöscht.',
    back: 'Gehe zu Heute',
  },
  broken: { gone: 'Diese Seite konnte nicht geladen werden', other: 'Etwas ist schiefgegangen' },
  push: {
    unsupported:
      'Dieser Browser kann keine Benachrichtigungen von Web-Apps anzeigen. Auf einem iPhone die App zuerst zum Home-Bildschirm hinzufügen.',
    denied:
      'Benachrichtigungen sind für diese Seite blockiert. Erlaube sie in den Einstellungen des Browsers.',
    notAllowed: 'Der Browser darf keine Benachrichtigungen anzeigen. Erlaube sie und versuche es erneut.',
    noWorker: 'Der Service Worker der App läuft nicht. Lade die Seite neu.',
    noService: (reason) => `Der Push-Dienst des Browsers hat nicht geantwortet: ${reason}`,
  },
}
