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
    connections: 'Verbindungen',
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
    channels: 'Kanäle',
    extensions: 'Erweiterungen',
    devices: 'Geräte',
    health: 'Zustand',
  },
  link: {
    connecting: 'Verbinden …',
    live: 'Live',
    reconnecting: 'Neu verbinden …',
    behind: (count) => plural(count, { one: '# Ereignis zurück', other: '# Ereignisse zurück' }),
    offline: 'Offline',
    clock: 'Uhr falsch',
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
    noNetwork:
      'Dieses Gerät hat kein Netz. Du siehst den letzten bekannten Stand; entscheiden kannst du, wenn das Netz wieder da ist. Was du schreibst, wird dann gesendet.',
    noAnswer:
      'Countersign antwortet nicht. Diese Seite versucht es alle paar Sekunden wieder. Du siehst den letzten bekannten Stand; was du schreibst, wird gesendet, wenn es wieder da ist. Falls es beendet wurde, starte Countersign wieder auf dem Computer, auf dem es installiert ist.',
    clock: (problem) => (
      <>
        Hier kann nichts gelesen oder entschieden werden, weil eine Uhr falsch geht. {problem} Stelle sie in
        den Einstellungen dieses Geräts richtig; diese Seite macht von selbst weiter.
      </>
    ),
    noDatabase:
      'Die Datenbank antwortet nicht, deshalb lässt sich nichts lesen oder aufzeichnen. Countersign versucht es alle paar Sekunden wieder.',
    diskFull:
      'Der Datenträger von Countersign ist voll, deshalb lässt sich nichts aufzeichnen und nichts läuft. Gib dort Platz frei.',
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
    none: 'Keine Ergebnisse.',
    groups: {
      approvals: 'Freigaben',
      goTo: 'Gehe zu',
      screen: 'Auf dieser Seite',
      actions: 'Aktionen',
      conversations: 'Unterhaltungen',
      goals: 'Ziele',
      plans: 'Pläne',
      automations: 'Automatisierungen',
      agents: 'Agenten',
      notes: 'Notizen',
      files: 'Dateien',
      memories: 'Erinnerungen',
      tools: 'Werkzeuge',
      models: 'Modelle',
      runs: 'Läufe',
      grants: 'Erlaubnisse',
      ask: 'Assistent',
    },
    ask: (text) => `Den Assistenten fragen: ${text}`,
    updateSummary: { label: 'Zusammenfassung aktualisieren', also: 'Heute Neuigkeiten' },
    does: {
      newChat: { label: 'Neuer Chat', also: 'Unterhaltung Nachricht fragen' },
      addGoal: { label: 'Ziel hinzufügen', also: 'neu anlegen' },
      addAutomation: { label: 'Automatisierung hinzufügen', also: 'neu anlegen Zeitplan jeden Tag' },
      addAgent: { label: 'Agent hinzufügen', also: 'neu anlegen Assistent' },
      addNote: { label: 'Notiz hinzufügen', also: 'neu schreiben' },
      addTask: { label: 'Aufgabe hinzufügen', also: 'neu' },
      addMemory: { label: 'Erinnerung hinzufügen', also: 'neu merken' },
      addProvider: {
        label: 'Modellanbieter hinzufügen',
        also: 'neu Schlüssel API openai anthropic ollama verbinden',
      },
      chooseModel: { label: 'Modelle den Zwecken zuordnen', also: 'Route Standard wechseln' },
      addMail: { label: 'E-Mail-Konto hinzufügen', also: 'neu Mail imap smtp' },
      addCalendar: { label: 'Kalenderkonto hinzufügen', also: 'neu caldav carddav Kontakte' },
      addChannel: {
        label: 'Kanal hinzufügen',
        also: 'neu telegram slack discord whatsapp signal matrix irc chat bot',
      },
      addExtension: {
        label: 'Erweiterung einlassen',
        also: 'neu server mcp model context protocol skill plugin npm installieren',
      },
      addSecret: { label: 'Geheimnis hinzufügen', also: 'neu Passwort Token Schlüssel Zugangsdaten' },
      setLimit: { label: 'Kostenlimit festlegen', also: 'Budget Ausgaben Geld' },
      pairDevice: { label: 'Gerät koppeln', also: 'Telefon Browser verbinden QR' },
      chooseLevel: { label: 'Autonomiestufe wählen', also: 'Rechte Sicherheit Richtlinie fragen' },
      editRules: { label: 'Regeln bearbeiten', also: 'Richtlinie erlauben ablehnen' },
      switchTools: { label: 'Werkzeuge ein- oder ausschalten', also: 'aktivieren Gruppe' },
      verifyLedger: { label: 'Ledger prüfen', also: 'Nachweis Kette' },
      export: { label: 'Meine Daten exportieren', also: 'Backup Download speichern Ledger' },
      changeName: { label: 'Namen ändern', also: 'Profil Zeitzone' },
      language: { label: 'Sprache ändern', also: 'deutsch englisch english' },
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
