import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../policy.tsx'

export const policy: Translation<typeof words> = {
  title: 'Richtlinien',
  note: 'was ohne Rückfrage geschehen darf',
  tabs: {
    grants: 'Was ohne Rückfrage laufen darf',
    agents: 'Was jeder Agent darf',
    rules: 'Regeln',
    passkeys: 'Passkey-Werkzeuge',
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
      'Jede Erlaubnis hast du auf einer Freigabekarte erteilt. Eine Erlaubnis gilt nie für Aufrufe über T2 und nie für nicht vertrauenswürdige Inhalte. Ein Widerruf gilt ab dem nächsten Aufruf.',
    which: 'Welche Erlaubnisse',
    presets: {
      active: 'Alle aktiven',
      unused: 'Seit 30 Tagen unbenutzt',
      broadest: 'Weiteste zuerst',
      ended: 'Beendet',
    },
    empty: {
      active:
        'Du hast nichts im Voraus erlaubt. Eine Erlaubnis entsteht auf einer Freigabekarte, wenn du mehr als einen Aufruf erlaubst.',
      unused: 'Jede Erlaubnis wurde in den letzten 30 Tagen benutzt.',
      broadest: 'Keine Erlaubnis ist aktiv.',
      ended: 'Noch keine Erlaubnis ist beendet.',
    },
    revokeUnused: 'Unbenutzte widerrufen …',
    revokeAll: 'Alle widerrufen …',
    revokeAllBut: (count) => plural(count, { other: 'Alle außer # widerrufen …' }),
    openApprovals: 'Freigaben öffnen',
    newest: (count) => plural(count, { other: 'Die neuesten # werden angezeigt.' }),
    tick: 'Wähle die Erlaubnisse, die bleiben sollen, und widerrufe dann den Rest auf einmal.',
    terminal: 'Im Terminal',
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
    keep: (sentence) => `Behalten: ${sentence}`,
    unused: 'seit 30 Tagen unbenutzt',
    broad: 'weit gefasst',
    states: { active: 'aktiv', revoked: 'widerrufen', expired: 'abgelaufen', used: 'aufgebraucht' },
    from: 'Aus',
    fromPlan: 'den Aufrufen eines Plans',
    fromApproval: 'einer Freigabe',
    covers: 'Umfasst',
    where: 'Wo',
    ends: 'Läuft ab',
    endsIn: (left) => `in ${left}`,
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
  keep: {
    all: 'Alle Erlaubnisse widerrufen',
    description:
      'Aufrufe, die sie erlaubt haben, brauchen wieder eine Freigabe. Was gerade läuft, wird nicht gestoppt.',
    ends: 'Endet',
    stays: 'Bleibt',
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
    title: 'Würde dir Fragen ersparen',
    intro:
      'Das hast du in den letzten 30 Tagen mehr als einmal freigegeben. Eine Regel legst du auf einer Freigabekarte an, wo du vorher siehst, was sie umfasst: Öffne eine Anfrage des Werkzeugs und wähle „Regel anlegen“.',
    would: (answers, stop, agent) => (
      <>
        Hätte {answers} deiner Freigaben beantwortet · umfasst {stop} · für den Agenten {agent}
      </>
    ),
    stops: {
      call: 'genau diesen Aufruf',
      target: 'dasselbe Ziel',
      place: 'denselben Ordner oder Host',
      tool: 'jeden Aufruf des Werkzeugs',
    },
    noRequest: 'Keine offene Anfrage dieses Werkzeugs',
    from: (code) => `Aus ${code} anlegen`,
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
    t3: 'Was andere sehen oder schwer rückgängig zu machen ist (T3), braucht die Freigabe eines deiner Geräte.',
    t4: 'Kritische Aktionen (T4) brauchen deinen Passkey.',
    passkeyTools: (tools) => <>Jeder Aufruf von {tools} braucht deinen Passkey.</>,
  },
  rules: {
    none: 'Nichts: Auf dieser Stufe braucht jede Aktion deine Freigabe.',
    noRules: 'Du hast keine Regel, die etwas erlaubt.',
    caption: 'Deine Regeln, die etwas erlauben',
    purpose: 'Zweck',
    rule: 'Regel',
    where: 'Wo',
    free: (level) => `Was Stufe ${level} erlaubt`,
    yours: 'Deine Regeln',
    most: 'Den meisten genügen drei bis acht.',
    weighing: 'Wie sie zusammenwirken',
    weighingText:
      'Eine Ablehnung geht vor einer Rückfrage, eine Rückfrage vor einer Erlaubnis. Die Reihenfolge der Dateien spielt keine Rolle. Deine Regeln können die mitgelieferten nicht aufheben. Eine ungültige Richtlinie wird nie wirksam.',
    change: 'So änderst du sie',
    changeText:
      'Regeln sind Cedar-Dateien in deinem Richtlinienordner, eine Datei je Thema. Bearbeite sie dort; das Gateway liest sie beim Start.',
    paths: 'Zeigen, wo der Richtlinienordner liegt',
    reload: 'Neu einlesen',
    fiveLevels: 'Die fünf Stufen',
    now: 'aktuell',
    policy: 'Richtlinie',
  },
  passkeys: {
    intro:
      'Jeder Aufruf dieser Werkzeuge ist kritisch (T4): Keine Stufe, Regel oder Erlaubnis lässt ihn zu, und ein Gerät allein kann ihn nicht freigeben. Du bestätigst jeden Aufruf mit deinem Passkey.',
    missing: 'Kein Passkey ist registriert.',
    missingText: 'Bis du einen hinzufügst, können kritische Aufrufe gar nicht freigegeben werden.',
    add: 'Passkey hinzufügen',
    none: 'Kein Werkzeug braucht jedes Mal deinen Passkey. Geld, Geheimnisse und Änderungen von Berechtigungen immer.',
    list: 'Werkzeuge, die deinen Passkey brauchen',
    touches: 'Was davon betroffen ist',
    change: 'So änderst du sie',
    changeText:
      'Sie stehen in der Konfiguration des Gateways, die kein Agent erreicht. Das Gateway liest sie beim Start.',
  },
}
