import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../policy.tsx'

export const policy: Translation<typeof words> = {
  title: 'Richtlinien',
  note: 'was ohne Rückfrage geschehen darf',
  tabs: {
    inForce: 'In Kraft',
    edit: 'Bearbeiten',
    simulate: 'Simulieren',
    versions: 'Fassungen',
    grants: 'Erlaubnisse',
    agents: 'Nach Agent',
  },
  grantCount: (count) => plural(count, { one: '# Erlaubnis', other: '# Erlaubnisse' }),
  revokeCount: (count) => plural(count, { one: '# Erlaubnis widerrufen', other: '# Erlaubnisse widerrufen' }),
  revoke: 'Widerrufen',
  levels: {
    none: 'alles braucht eine Freigabe',
    low: 'Lesen braucht keine Freigabe',
    medium: 'Lesen und umkehrbare Änderungen brauchen keine Freigabe',
    high: 'nur was andere sehen oder schwer rückgängig zu machen ist, braucht eine Freigabe',
    full: 'nur kritische Aktionen brauchen eine Freigabe',
  },
  ownLevel: 'eine eigene Stufe',
  grants: {
    intro:
      'Jede Erlaubnis hast du erteilt. Sie gilt nie für das, was aus deiner Hand geht oder kritisch ist, und fragt nach Inhalten von Fremden wieder, außer sie warnt davor. Ein Widerruf gilt ab dem nächsten Aufruf.',
    which: 'Welche Erlaubnisse',
    presets: {
      active: 'Alle aktiven',
      unused: 'Seit 15 Tagen unbenutzt',
      broadest: 'Weiteste zuerst',
      ended: 'Beendet',
    },
    empty: {
      active:
        'Du hast nichts im Voraus erlaubt. Eine Erlaubnis entsteht auf einer Freigabekarte, wenn du mehr als einen Aufruf erlaubst.',
      unused: 'Jede Erlaubnis wurde in den letzten 15 Tagen benutzt.',
      broadest: 'Keine Erlaubnis ist aktiv.',
      ended: 'Noch keine Erlaubnis ist beendet.',
    },
    revokeUnused: 'Unbenutzte widerrufen …',
    revokeAll: 'Alle widerrufen …',
    revokePicked: (count) => plural(count, { other: '# ausgewählte widerrufen …' }),
    openApprovals: 'Freigaben öffnen',
    tick: 'Wähle die Erlaubnisse, die du widerrufen willst.',
    keyRevoke: 'Erlaubnis widerrufen',
    revoked: (count) =>
      plural(count, {
        one: '# Erlaubnis widerrufen. Solche Aufrufe brauchen wieder eine Freigabe.',
        other: '# Erlaubnisse widerrufen. Solche Aufrufe brauchen wieder eine Freigabe.',
      }),
    revokedPartly: (done, failed, problem) =>
      `${plural(done, { one: '# Erlaubnis widerrufen', other: '# Erlaubnisse widerrufen' })}; ${plural(failed, { one: '# ist noch aktiv', other: '# sind noch aktiv' })}: ${problem}`,
  },
  row: {
    select: (sentence) => `Auswählen: ${sentence}`,
    unused: 'seit 15 Tagen unbenutzt',
    broad: 'weit gefasst',
    states: {
      active: 'aktiv',
      revoked: 'widerrufen',
      expired: 'abgelaufen',
      used: 'aufgebraucht',
      unused: 'unbenutzt geendet',
    },
    from: 'Aus',
    fromPlan: 'den Aufrufen eines Plans',
    fromApproval: 'einer Freigabe',
    covers: 'Umfasst',
    where: 'Wo',
    ends: 'Läuft ab',
    endsIn: (left) => `in ${left}`,
    orUnused: (left) => `, oder unbenutzt in ${left}`,
    used: 'Benutzt',
    times: (count) => plural(count, { other: '#-mal' }),
    timesOf: (count, most) => `${count} von ${plural(most, { other: '# Mal' })}`,
    last: (when) => <>, zuletzt {when}</>,
    revoke: (sentence) => `Widerrufen: ${sentence}`,
    neverUsed: 'nie benutzt',
    usedAt: (when) => <>benutzt {when}</>,
    run: 'ein Lauf',
    session: 'eine Sitzung',
    goal: 'ein Ziel',
    everywhere: 'überall',
    agent: (agent) => `der Agent ${agent}`,
    coverage: {
      0: 'genau einen Aufruf',
      1: 'benannte Ziele',
      2: 'einen ganzen Ordner oder Host',
      3: 'jeden Aufruf des Werkzeugs',
    },
  },
  revoking: {
    all: 'Alle Erlaubnisse widerrufen',
    description:
      'Aufrufe, die sie erlaubt haben, brauchen wieder eine Freigabe. Was gerade läuft, wird nicht gestoppt.',
    ends: 'Endet',
  },
  prune: {
    title: 'Unbenutzte Erlaubnisse widerrufen',
    description:
      'Eine unbenutzte Erlaubnis ist nur ein Risiko. Der nächste Aufruf, den sie erlaubt hätte, fragt dich stattdessen.',
    unusedFor: 'Unbenutzt seit',
    days: (count) => plural(count, { one: '# Tag', other: '# Tagen' }),
    none: (days) =>
      plural(days, {
        one: 'Jede Erlaubnis wurde innerhalb von # Tag benutzt.',
        other: 'Jede Erlaubnis wurde innerhalb von # Tagen benutzt.',
      }),
    wouldEnd: 'Würde enden',
    revoked: (count) => plural(count, { one: '# Erlaubnis widerrufen.', other: '# Erlaubnisse widerrufen.' }),
  },
  suggestions: {
    title: 'Vorgeschlagene Erlaubnisse',
    intro:
      'Das hast du in den letzten 7 Tagen mindestens dreimal freigegeben. Eine Erlaubnis hätte es beantwortet. Sie gilt 30 Tage und endet von selbst, wenn sie nicht benutzt wird.',
    would: (answers, of, agent) => (
      <>
        Hätte {answers} von {plural(of, { one: '# Freigabe', other: '# Freigaben' })} dieser Woche beantwortet
        · für den Agenten {agent}
      </>
    ),
    create: 'Diese Erlaubnis anlegen',
    created: 'Die Erlaubnis wurde angelegt.',
  },
  agents: {
    agent: 'Agent',
    every: 'Jeder Agent',
    allOf: (group) => `alles aus ${group}`,
    isDefault: 'Standardagent',
    off: 'abgeschaltet',
    tools: 'Werkzeuge',
    everyTool: 'jedes Werkzeug, das seine Art haben darf',
    data: 'Daten',
    allData: 'alle Daten',
    noData: 'keine',
    model: 'Modell',
    free: (level) => `Auf Stufe ${level} erlaubt`,
    rules: 'Deine Regeln',
    grants: 'Erlaubnisse, die hier gelten',
    noGrants: 'Keine. Was weder die Stufe noch deine Regeln erlauben, braucht deine Freigabe.',
    always: 'In jedem Fall',
    t3: 'Was andere sehen oder schwer rückgängig zu machen ist, braucht die Freigabe eines deiner Geräte.',
    t4: 'Kritische Aktionen, etwa Zahlungen, brauchen deinen Passkey. Mehr Ausgaben für einen Lauf erlaubst du ohne ihn.',
    passkeyTools: (tools) => <>Jeder Aufruf von {tools} braucht deinen Passkey.</>,
  },
  rules: {
    none: 'Nichts: Auf dieser Stufe braucht jede Aktion deine Freigabe.',
    noRules: 'Du hast keine Regel, die etwas erlaubt.',
    caption: 'Deine Regeln, die etwas erlauben',
    purpose: 'Zweck',
    rule: 'Regel',
    where: 'Wo',
  },
  inForce: {
    since: (version, when, who, passkey) => (
      <>
        Fassung {version}, in Kraft seit {when}, geändert von {who}
        {passkey ? ' mit dem Passkey' : ''}.
      </>
    ),
    files: 'den Dateien auf diesem Computer',
    yours: 'Deine Regeln',
    noRules: 'Du hast noch keine eigenen Regeln. Den meisten genügen drei bis acht.',
    write: 'Regel schreiben',
    edit: 'Regeln bearbeiten',
    remove: 'Entfernen',
    removeRule: (sentence) => `Regel entfernen: ${sentence}`,
    always: 'Auf jeder Stufe',
    weighing:
      'Eine Ablehnung geht vor einer Rückfrage, eine Rückfrage vor einer Erlaubnis. Die Reihenfolge der Regeln spielt keine Rolle, und deine können diese nicht aufheben.',
    level: 'Stufe der Selbstständigkeit',
    levels: { none: 'Keine', low: 'Niedrig', medium: 'Mittel', high: 'Hoch', full: 'Voll' },
    asks: (count) => plural(count, { other: 'fragt # von 100 Mal' }),
    measured: (developer, office, household, heldOut) =>
      `So wie es installiert wird, fragte es in 100 Aufrufen einer Testwoche eine Entwicklerin ${developer} Mal, eine Büroangestellte ${office} Mal und einen Haushalt ${household} Mal (in zurückgehaltenen Wochen ${heldOut}). Wähle eine Stufe, um zu sehen, was sie für deine eigenen Aufrufe bedeutet.`,
    effects: { allow: 'erlaubt', ask: 'fragt', refuse: 'lehnt ab' },
  },
  edit: {
    rulesOf: (file) => `Regeln in ${file}`,
    completion: 'Vervollständigungen',
    hint: 'Regeln werden in Cedar geschrieben. Strg+Leertaste vervollständigt; die Eingabetaste übernimmt den ersten Vorschlag.',
    inWords: 'In Worten',
    noRules:
      'Noch keine Regeln. Beginne mit „permit“, um etwas zu erlauben, oder mit „forbid“, um zu fragen oder abzulehnen.',
    fixFirst: 'Behebe die Fehler, um die Regeln in Worten zu sehen.',
    addFile: 'Datei hinzufügen',
    fileName: 'Name der Datei',
    add: 'Hinzufügen',
    removeFile: (file) => `${file} entfernen`,
    problems: (count) => plural(count, { other: '# Fehler' }),
    line: (file, line) => `${file}, Zeile ${line}`,
  },
  simulate: {
    running: 'Deine früheren Aufrufe werden noch einmal beurteilt …',
    open: 'Aufrufe zeigen',
    sentence: (calls, fewer, allowed, refused) => {
      const asks =
        fewer === 0
          ? 'gleich oft gefragt'
          : `${plural(Math.abs(fewer), { other: '#-mal' })} ${fewer > 0 ? 'weniger' : 'öfter'} gefragt`
      return `Bei ${plural(calls, { one: 'deinem letzten Aufruf', other: 'deinen letzten # Aufrufen' })} hätte es ${asks}, ${allowed} mehr erlaubt und ${refused} mehr abgelehnt.`
    },
    noCalls: 'Es gibt noch keine früheren Aufrufe, an denen es sich erproben ließe.',
    counts: 'Entscheidungen über deine früheren Aufrufe',
    policy: 'Richtlinie',
    now: 'In Kraft',
    draft: 'Dein Entwurf',
    outcomes: { allow: 'erlaubt', ask: 'gefragt', deny: 'abgelehnt' },
    empty:
      'Ändere zuerst die Stufe oder die Regeln. Deine früheren Aufrufe werden dann noch einmal beurteilt, und nichts wird gespeichert.',
    edit: 'Regeln bearbeiten',
    window: 'Aufrufe der letzten',
    days: (count) => plural(count, { one: '# Tag', other: '# Tage' }),
    show: 'Anzeigen',
    filters: { all: 'Alle Änderungen', allow: 'Neu erlaubt', ask: 'Neu gefragt', deny: 'Neu abgelehnt' },
    none: 'Kein früherer Aufruf geht anders aus.',
    changed: 'Aufrufe, die anders ausgehen',
  },
  apply: {
    title: 'Deine Änderung ist noch nicht in Kraft',
    invalid: (count) => plural(count, { other: 'Die Regeln haben # Fehler. Behebe das zuerst.' }),
    loosens: 'Countersign könnte dich weniger fragen:',
    apply: 'In Kraft setzen',
    withPasskey: 'Mit dem Passkey in Kraft setzen',
    discard: 'Änderung verwerfen',
    done: (version) => `Fassung ${version} ist in Kraft.`,
    noPasskey: 'Es gibt keinen Passkey, um das zu bestätigen.',
    cancelled: 'Du hast nicht mit deinem Passkey bestätigt. Nichts wurde geändert.',
  },
  versions: {
    entry: 'In Kraft beim Ledger-Eintrag',
    look: 'Zeigen',
    version: (number) => `Fassung ${number}`,
    at: (entry, number) => `Beim Ledger-Eintrag ${entry}: Fassung ${number}`,
    inForce: 'in Kraft',
    asksLess: 'fragte weniger',
    restore: 'Diese Fassung wiederherstellen …',
    changes: 'Änderungen gegenüber der Fassung davor',
    text: 'die Richtlinie',
  },
  passkeys: {
    title: 'Passkey-Werkzeuge',
    intro:
      'Du bestätigst jeden Aufruf dieser Werkzeuge mit deinem Passkey. Keine Stufe, Regel oder Erlaubnis lässt sie zu.',
    missing: 'Kein Passkey ist registriert.',
    missingText: 'Bis du einen hinzufügst, können diese Aufrufe gar nicht freigegeben werden.',
    add: 'Passkey hinzufügen',
    none: 'Kein Werkzeug braucht jedes Mal deinen Passkey.',
    list: 'Werkzeuge, die deinen Passkey brauchen',
    remove: 'Entfernen',
    removeTool: (tool) => `${tool} entfernen`,
    tool: 'Weiteres Werkzeug',
    choose: 'Werkzeug wählen',
    addTool: 'Hinzufügen',
  },
}
