import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../today.tsx'

export const today: Translation<typeof words> = {
  title: 'Heute',
  unknownOffline: 'Nicht verfügbar, solange das Gateway nicht antwortet.',
  more: (count) => plural(count, { other: 'und # weitere' }),
  say: { label: 'Frag den Assistenten oder sag ihm etwas', send: 'Senden' },
  day: {
    caption: (runs, asks) =>
      `Heute: ${plural(runs, { one: '# Lauf', other: '# Läufe' })}, ${plural(asks, { one: '# Anfrage', other: '# Anfragen' })}`,
    open: 'Die Läufe von heute unter Aktivität öffnen',
    table: 'Die Läufe von heute',
    began: 'Begonnen',
    length: 'Dauer',
    waited: 'Auf dich gewartet',
    ask: 'Hat dich gefragt',
  },
  needs: {
    decide: 'Hier entscheiden',
    title: 'Braucht dich',
    list: 'Was dich braucht',
    count: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
    hidden: (count) => plural(count, { one: 'und # weitere Freigabe', other: 'und # weitere Freigaben' }),
    none: 'Nichts braucht dich.',
    settled: (title) => <>Erledigt: {title}</>,
    question: 'Frage',
    automationFailed: 'Automatisierung fehlgeschlagen',
    automationMissed: 'Automatisierung verpasst',
    putAside: 'Ausblenden',
    seeWhy: 'Warum?',
    missed: 'Sie ist zur geplanten Zeit nicht gelaufen.',
    failed: 'Der letzte Lauf endete mit einem Problem.',
    notice: 'Hinweis',
    skill: 'Skill zu prüfen',
    skillWaits: 'Er wartet auf deine Prüfung. Kein Agent kann ihn davor benutzen.',
    repair: 'Reparatur',
    openHealth: 'Zustand öffnen',
    openModels: 'Modelle öffnen',
    asked: (when, left) => (
      <>
        angefragt {when}, noch {left}
      </>
    ),
    needsPasskey: ', braucht deinen Passkey',
    review: 'Prüfen',
    newDevice: 'Neues Gerät',
    compare: 'Wörter vergleichen',
    wantsIn: (name) => <>{name} möchte gekoppelt werden</>,
    noPlatform: 'Es hat nicht angegeben, was für ein Gerät es ist.',
  },
  notices: {
    budget: (budget, percent, spent, limit) =>
      `Das Budget „${budget}“ ist zu ${percent} Prozent verbraucht: ${spent} von ${limit}.`,
    held: (reason) => `Unbeaufsichtigte Arbeit ist angehalten: ${reason}`,
    released: (by) => `Unbeaufsichtigte Arbeit wurde von ${by} fortgesetzt.`,
    reminder: ({ title, when, location, late, begun }) =>
      `Erinnerung: „${title}“ ${begun ? 'begann' : 'beginnt'} ${when}${location === null ? '' : `, ${location}`}.${late ? ' Diese Erinnerung kommt zu spät: Das Gateway lief nicht, als sie fällig war.' : ''}`,
  },
  repairs: {
    ledger: 'In das Ledger kann nicht geschrieben werden, deshalb läuft nichts.',
    database: 'Die Datenbank antwortet nicht.',
    executor: 'Der Executor läuft nicht, deshalb wird kein Aufruf ausgeführt.',
    noModel:
      'Noch ist kein Modell eingerichtet, deshalb können Agenten nicht arbeiten. Richte zuerst eines ein.',
    model: (model, problem) =>
      `Das Modell ${model} antwortet nicht, deshalb können Agenten nicht arbeiten. ${problem}`,
  },
  question: {
    unknown: 'Es ist nicht bekannt, ob das geschehen ist. Sieh nach und antworte dann.',
    waits: 'Der Agent wartet auf deine Antwort.',
    conversation: 'Unterhaltung öffnen',
    answers: 'Antworten',
    own: 'Oder in eigenen Worten',
    yours: 'Deine Antwort',
    send: 'Antworten',
    answered: (text, ledger) => `Deine Antwort: „${text}“. Ledger #${ledger}.`,
  },
  feed: {
    title: 'Seit deinem letzten Besuch',
    noGoal: 'Ohne Ziel',
    steps: (count) => plural(count, { one: '# Schritt', other: '# Schritte' }),
    why: 'Warum',
    undo: 'Rückgängig',
    undone: 'Rückgängig gemacht',
    archive: 'Archivieren',
    entry: (entry) => `Ledger-Eintrag ${entry}`,
    nothingNew: 'Nichts Neues.',
    quiet:
      'Nichts ist geschehen. Es geschieht auch nichts, bis du etwas verlangst oder eine Automatisierung einschaltest.',
    nothingYet: 'Noch ist nichts geschehen.',
    askInChat: 'Im Chat fragen',
    fresh: 'Neu',
    earlier: 'Früher',
    earlierCount: (count) => plural(count, { one: 'Früher: # Eintrag', other: 'Früher: # Einträge' }),
    keys: { next: 'weiter', why: 'warum', undo: 'rückgängig', archive: 'archivieren' },
    untold: (count) =>
      plural(count, {
        one: '# Lauf ist seit dieser Zusammenfassung beendet.',
        other: '# Läufe sind seit dieser Zusammenfassung beendet.',
      }),
    openActivity: 'Aktivität öffnen',
    dismissAll: 'Alle ausblenden',
    aRun: 'Ein Lauf',
    tell: 'Zusammenfassung erneuern',
    telling: 'Wird zusammengefasst …',
    fromLedger: 'Aus dem Ledger',
    fromLedgerDetail: 'Sofort und ohne Modell. Kostet nichts.',
    byModel: 'Von einem Modell geschrieben',
    byModelDetail: 'Aus denselben Einträgen, im Rahmen des Budgets für Zusammenfassungen.',
    toldNothing: (ledger) => `Seit der letzten Zusammenfassung ist nichts geschehen. Ledger #${ledger}.`,
    told: (count, ledger) =>
      `${plural(count, { one: '# Eintrag', other: '# Einträge' })} hinzugefügt. Ledger #${ledger}.`,
    toldSoon: (count, ledger) =>
      `${plural(count, { one: '# Eintrag', other: '# Einträge' })} hinzugefügt; ein Modell schreibt sie gerade um. Ledger #${ledger}.`,
  },
  keys: {
    archive: 'Eintrag archivieren',
    undo: 'Eintrag rückgängig machen',
    why: 'Zeigen, warum es geschah',
    open: (number) => `Nummer ${number} öffnen`,
    archived: 'Archiviert.',
    putBack: 'Zurückholen',
    notUndoable: 'Das lässt sich nicht rückgängig machen.',
  },
  next: {
    title: 'Nächste 24 Stunden',
    about: (cost) => `etwa ${cost}`,
    atMost: (cost) => `höchstens ${cost}`,
    automations: 'Automatisierungen',
    add: 'Automation hinzufügen',
    noAutomation: 'Von selbst läuft nichts, bis du eine Automatisierung anlegst.',
    noneDue: 'Keine Automatisierung steht an.',
    paused: 'Alles ist angehalten. Nichts davon läuft, bis du fortsetzt.',
    upTo: 'bis',
  },
  standing: {
    title: 'Läuft ohne Rückfrage',
    review: 'Prüfen',
    none: 'Du hast nichts im Voraus erlaubt.',
    active: (count) => plural(count, { one: '# Erlaubnis', other: '# Erlaubnisse' }),
    canAct: (grants, count) => (
      <>
        {grants} {count === 1 ? 'lässt' : 'lassen'} Aufrufe ohne Rückfrage laufen
      </>
    ),
    unused: (count) => plural(count, { other: '# seit 15 Tagen unbenutzt' }),
    level: (level, about) => `Stufe ${level}: ${about}`,
    rules: (count) => plural(count, { one: '; # eigene Regel', other: '; # eigene Regeln' }),
    suggested: (count) =>
      plural(count, {
        one: '# Erlaubnis hätte dir Fragen erspart',
        other: '# Erlaubnisse hätten dir Fragen erspart',
      }),
  },
  spending: {
    title: 'Ausgaben',
    costs: 'Kosten',
    today: 'Heute',
    of: (spent, limit) => `${spent} von ${limit}`,
    month: 'Dieser Monat',
    unattended: {
      run: 'Unbeaufsichtigt, dieser Lauf',
      hour: 'Unbeaufsichtigt, diese Stunde',
      day: 'Unbeaufsichtigt, heute',
      week: 'Unbeaufsichtigt, diese Woche',
      month: 'Unbeaufsichtigt, dieser Monat',
      ever: 'Unbeaufsichtigt, insgesamt',
    },
    noLimit: 'Es gibt kein Gesamtlimit.',
    setOne: 'Limit festlegen',
  },
  undo: {
    title: 'Rückgängig machen',
    description: 'Änderungen werden zurückgenommen, die neueste zuerst.',
    undo: (count) =>
      plural(count, { one: '# Aufruf rückgängig machen', other: '# Aufrufe rückgängig machen' }),
    none: 'Das lässt sich nicht mehr rückgängig machen.',
    can: 'Lässt sich rückgängig machen',
    cannot: 'Lässt sich nicht rückgängig machen',
    started: (count, ledger) =>
      `${plural(count, { one: '# Aufruf wird', other: '# Aufrufe werden' })} rückgängig gemacht. Ledger #${ledger}.`,
    watch: 'Ansehen',
  },
  why: {
    title: 'Warum es geschah',
    which: (count) =>
      plural(count, { one: 'Beruht auf # Eintrag.', other: 'Beruht auf # Einträgen. Wähle einen:' }),
    entries: 'Einträge',
    open: (entry) => `#${entry} im Ledger öffnen`,
  },
}
