import type { Translation } from '../../language/current.ts'
import type { words } from '../settings.tsx'

export const settings: Translation<typeof words> = {
  title: 'Einstellungen',
  tabs: {
    browser: 'Dieser Browser',
    you: 'Du',
    language: 'Sprache',
    secrets: 'Geheimnisse',
    data: 'Daten',
    about: 'Über',
  },
  you: {
    name: 'Dein Name',
    nameHint: 'Agenten schlagen ihn nach, wenn sie ihn brauchen, und er steht unten im Menü.',
    style: 'Wie Agenten dir schreiben sollen',
    styleHint: 'Zum Beispiel: kurz, ohne Floskeln. Jeder Agent erfährt es.',
    instructions: 'Anweisungen für alle Agenten',
    instructionsHint:
      'Eine pro Zeile. Jeder Agent erfährt sie, auch während er im Web liest: Schreib hier nichts Privates. Sie erlauben einem Agenten nie mehr als die Richtlinie.',
    zone: (zone) => `Diese Seite zeigt Zeiten in der Zeitzone dieses Browsers, ${zone}.`,
    zoneTitle: 'Zeitzone',
    zoneHint:
      'Tage, Limits und Zusammenfassungen beginnen hier um Mitternacht, und neue Automatisierungen verwenden sie. Vorhandene Automatisierungen behalten ihre eigene.',
    zoneNext: (zone, next) => `${zone} gilt, bis das Gateway neu gestartet wird, danach ${next}.`,
    zoneSaved: (ledger) => `Gespeichert. Sie gilt ab dem nächsten Start des Gateways. Ledger Nr. ${ledger}.`,
    zoneUnknown: 'Gib eine Zeitzone an, etwa Europe/Vienna.',
    save: 'Speichern',
    saved: (ledger) => `Gespeichert. Ledger Nr. ${ledger}.`,
    tooLong: (most) => `Höchstens ${most} Zeichen.`,
    tooMany: 'Höchstens 30 Anweisungen mit je 500 Zeichen.',
  },
  language: {
    title: 'Sprache',
    browser: 'Wie der Browser',
    english: 'English',
    german: 'Deutsch',
    about: 'Die Seite lädt neu, wenn du sie änderst. Karten, die du freigibst, bleiben englisch.',
  },
  data: {
    export: 'Export',
    exportAbout:
      'Das Ledger enthält alles, was entschieden und getan wurde, mit den Nachweisen, um es überall zu prüfen.',
    ledger: 'Ledger exportieren',
    memories: 'Erinnerungen exportieren',
    saved: (file) => `Gespeichert als ${file}.`,
    notSaved: 'Die Datei konnte nicht gespeichert werden. Versuche es noch einmal.',
    where: 'Wo deine Daten liegen',
    whereAbout:
      'Alle liegen auf dem Computer, auf dem das Gateway läuft. Für eine vollständige Sicherung halte das Gateway an und kopiere seinen Datenordner.',
    database: 'Datenbank',
    mode: {
      embedded: (size) => `${size}, von Countersign betrieben`,
      external: (size) => `${size}, dein eigener Server`,
    },
    workspace: 'Arbeitsordner',
    details: 'Einzelheiten der Aufrufe',
    logs: 'Protokolle',
    free: 'Freier Speicherplatz',
    elsewhere: 'Auf anderen Seiten einzustellen',
    level: 'Autonomiestufe',
    limits: 'Kostenlimits',
    models: 'Modelle',
    files: 'Dateien',
  },
  about: {
    version: 'Version',
    address: 'Adresse',
    gateway: 'Gateway',
    started: 'Gestartet',
    licence: 'Lizenz',
    licenceName: 'Apache-2.0',
    docs: 'Dokumentation',
    docsWhere: 'Im Ordner docs des Quellcodes',
    health: 'Wie es allem geht',
  },
  appearance: {
    title: 'Aussehen und Tasten',
    theme: 'Design',
    themes: { system: 'Wie das System', light: 'Hell', dark: 'Dunkel' },
    letters: 'Tastenkürzel mit einem Buchstaben',
    lettersHint: (key) => (
      <>Etwa {key} zum Freigeben. Während du tippst, wirken sie nicht. Kürzel mit Zusatztaste gehen immer.</>
    ),
  },
  notifications: {
    title: 'Benachrichtigungen',
    about:
      'Eine Benachrichtigung öffnet die Anfrage; sie entscheidet nie. Auf dem Weg durch den Push-Dienst des Browsers ist sie verschlüsselt.',
    toggle: 'Auf diesem Gerät benachrichtigen',
    hint: 'Wähle unten, wofür.',
    kindsTitle: 'Wofür',
    kinds: {
      approval: 'Etwas braucht meine Freigabe',
      question: 'Ein Agent hat eine Frage',
      failure: 'Eine Automatisierung ist fehlgeschlagen',
      budget: 'Ein Kostenlimit ist fast oder ganz erreicht',
      finished: 'Ein Lauf, der länger als eine Minute dauerte, ist fertig',
      summary: 'Auf Heute steht eine neue Zusammenfassung',
    },
    quiet: 'Ruhezeiten',
    quietHint:
      'In diesen Stunden keine Benachrichtigungen, außer für Anfragen, die innerhalb einer Stunde ablaufen. Was inzwischen kam, steht auf Heute.',
    quietFrom: 'Von',
    quietTo: 'Bis',
    quietZone: (zone) => `In der Zeitzone ${zone}.`,
    sent: 'Gesendet. Sie sollte jetzt erscheinen.',
    notSent: 'Die Benachrichtigung wurde nicht gesendet. Schalte Benachrichtigungen aus und wieder ein.',
    test: 'Testbenachrichtigung senden',
  },
  browser: {
    title: 'Dieser Browser',
    device: 'Gerät',
    gateway: 'Gateway',
    key: 'Schlüssel',
    keyAbout:
      'In diesem Browser erzeugt und gespeichert. Er lässt sich nicht auslesen, und es gibt kein Cookie.',
    others: 'Andere',
    allDevices: 'Alle Geräte und Passkeys',
    signOut: 'Diesen Browser abmelden …',
    signOutTitle: 'Diesen Browser abmelden?',
    signOutAbout:
      'Sein Schlüssel und seine gespeicherten Daten werden hier gelöscht. Um ihn wieder zu benutzen, muss er neu gekoppelt werden.',
    stay: 'Angemeldet bleiben',
    leave: 'Abmelden',
    stillListed:
      'Das Gateway führt den Schlüssel auf, bis er widerrufen ist. Gehört dir dieser Computer nicht mehr, widerrufe ihn stattdessen auf einem anderen Gerät:',
    name: 'Name',
    nameHint: 'Der Name steht in Belegen: „freigegeben auf …“.',
    rename: 'Umbenennen',
    renamed: (name, ledger) => `Umbenannt in „${name}“. Ledger #${ledger}.`,
  },
}
