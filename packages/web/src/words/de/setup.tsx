import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../setup.tsx'

export const setup: Translation<typeof words> = {
  title: 'Einrichtung',
  leave: 'Später fortsetzen',
  comeBack: '. Zurück geht es über Heute.',
  continue: 'Weiter',
  skip: 'Überspringen',
  steps: {
    states: { todo: 'offen', done: 'fertig', skipped: 'übersprungen' },
    settledOf: (settled, total) => `${settled} von ${total} fertig`,
    all: 'Alle Schritte',
    at: (step, total) => `Schritt ${step} von ${total}`,
    settled: (count) => plural(count, { other: '# fertig' }),
  },
  card: {
    title: 'Einrichtung',
    of: (settled, total) => `${settled} von ${total}`,
    next: (step) => `Als Nächstes: ${step}`,
    continue: 'Weiter',
  },
  check: {
    stages: { room: 'Speicher und Uhr', walls: 'Sandbox und Schlüssel', service: 'Hintergrunddienst' },
    ok: 'In Ordnung',
    warning: 'Läuft mit Einschränkungen',
    error: 'Muss behoben werden',
    details: 'Details',
  },
  you: {
    name: 'Wie soll es dich nennen?',
    hint: 'Deine Agenten sehen diesen Namen. Er bleibt auf diesem Computer.',
    passkey: 'Passkey',
    about:
      'Kritische Aktionen, etwa Zahlungen, Geheimnisse oder Berechtigungen, laufen nur, wenn dein Fingerabdruck, dein Gesicht oder ein Sicherheitsschlüssel sie bestätigt. Einen Passkey kannst du später unter Geräte hinzufügen.',
    registered: 'Ein Passkey ist registriert.',
    create: 'Passkey anlegen',
    unnamed: 'Du',
    cancelled: 'Es wurde kein Passkey angelegt. Versuche es erneut oder mach ohne weiter.',
  },
  model: {
    which: 'Welches Modell?',
    trying: 'Wird getestet …',
    tryIt: 'Testen',
    current: 'Aktuelles Modell behalten',
    runsAt: (url) => <>Läuft auf diesem Computer unter {url}</>,
    keyIn: (variable) => <>In {variable} liegt ein Schlüssel. Er wird im Tresor gespeichert.</>,
    paste: 'Schlüssel einfügen',
    pasteAbout: 'Von einem Anbieter, bei dem du ein Konto hast. Wird im Tresor gespeichert.',
    demo: 'Ohne Modell ausprobieren',
    demoAbout:
      'Eine Demo mit festen Regeln. Kein Schlüssel, kein Netz, keine Kosten. Sie versteht ein paar Sätze.',
    provider: 'Anbieter',
    key: 'Schlüssel',
    keyHint: 'Es wird sofort ein kleiner Testaufruf gemacht. Kein Agent sieht den Schlüssel.',
    answers: (model) => <>{model} antwortet</>,
    price: 'Preis',
    priceUnknown: 'Unbekannt; gilt als teuer',
    free: 'Kostenlos',
    perMillion: (input, output) => (
      <>
        {input} Eingabe, {output} Ausgabe je Million Token
      </>
    ),
    responded: 'Antwortete nach',
    ms: (total) => plural(total, { other: '# ms' }),
    address: 'Adresse deines eigenen Servers (freiwillig)',
    addressHint: 'Für einen Server mit derselben Schnittstelle, etwa LM Studio oder vLLM.',
    name: 'Modell (freiwillig)',
    nameHint: 'So wie der Anbieter es nennt. Leer: ein kleines, das Werkzeuge benutzen kann.',
    testCost: 'Kosten dieses Tests',
    said: 'Die Antwort',
  },
  safety: {
    when: 'Wann soll es dich fragen?',
    level: 'Stufe',
    cost: 'Monatliches Kostenlimit',
    costAbout: 'Ein hartes Limit: Vor jedem Aufruf wird Geld reserviert, deshalb wird es nie überschritten.',
    allWork: 'Alle Arbeit',
    spoken: (usd) => plural(usd, { one: '# Dollar im Monat', other: '# Dollar im Monat' }),
    perMonth: 'Dollar im Monat',
    number10: 'Eine Zahl eingeben, zum Beispiel 10.',
    number0: 'Eine Zahl eingeben, zum Beispiel 0.',
    unattendedAbout:
      'Davon für Arbeit, die von selbst beginnt: Zusammenfassungen, Gedächtnis, Automatisierungen. Bei 0 beginnt nichts davon.',
    unattended: 'Unbeaufsichtigt',
    notCounted: 'Wie oft diese Stufe fragt, wurde nicht gezählt.',
    asked: (times) => <>In unserer Testwoche: etwa {times} am Tag.</>,
    times: (count) => plural(count, { one: '# Frage', other: '# Fragen' }),
    needsPasskey:
      'Seltener zu fragen oder mehr auszugeben braucht deinen Passkey. Nichts wurde geändert. Versuche es erneut.',
  },
  action: {
    working: 'Deine erste Aktion läuft. Die Freigabekarte erscheint hier.',
    begin: 'Starten',
    what: 'Was soll es zuerst tun?',
    asks: (count) => plural(count, { one: 'Fragt dich einmal', other: 'Fragt dich #-mal' }),
    told: 'So lautet der Auftrag',
    done: 'Du hast es freigegeben, und es ist erledigt',
    ledger: 'Im Ledger anzeigen',
    conversation: 'Unterhaltung öffnen',
    undo: 'Rückgängig machen',
    undoing: (count, ledger) =>
      `${plural(count, { one: '# Aufruf wird', other: '# Aufrufe werden' })} rückgängig gemacht. Ledger #${ledger}.`,
    another: 'Etwas anderes versuchen',
    openApprovals: 'In Freigaben öffnen',
    keys: 'Erste Karte',
  },
  coach: {
    title: 'So liest du deine erste Freigabekarte',
    gotIt: 'Verstanden',
    marks: {
      what: ['Was', 'Was genau ausgeführt wird, Byte für Byte. Was du freigibst, ist das, was läuft.'],
      why: ['Warum', 'Die Regel, die fragt, mit Datei und Zeile, und was die Stufe erhöht hat.'],
      effects: [
        'Wirkung',
        'Was sich ändern kann, was diesen Computer verlässt und ob es sich rückgängig machen lässt.',
      ],
      choices: [
        'Auswahl',
        'Ablehnen sagt Nein und nennt dem Agenten den Grund. Einmal freigeben erlaubt diesen einen Aufruf und sonst nichts.',
      ],
    },
  },
  reach: {
    ready: 'Bereit',
    off: 'Aus',
    mayDecide: 'Darf entscheiden:',
    phone:
      'Für die App auf deinem Telefon führe dies auf dem Computer des Gateways aus, fotografiere das Bild und sende den Test von dieser Seite auf dem Telefon.',
    allowAndTest: 'Erlauben und einen Test senden',
    sendTest: 'Test senden',
    notSent: 'Er wurde nicht gesendet.',
    didItArrive: 'Ist er angekommen?',
    onItsWay: 'Er ist noch unterwegs.',
    again: 'Noch einmal senden',
    yes: 'Ja, er kam an',
    arrivedByPush: 'Eine Benachrichtigung hat dich erreicht.',
    arrivedIn: (channel) => <>Eine Nachricht hat dich in {channel} erreicht.</>,
    chats: 'Chats',
    chatsAbout:
      'Ein Chat, eine E-Mail oder ein Hinweis auf deinem Telefon. Das Formular sagt, was nötig ist.',
    addChat: 'Chat hinzufügen',
    write: (account) => (
      <>
        Schreib {account} irgendetwas von deinem eigenen Konto. Es antwortet mit einem Code, mit dem du dich
        selbst einlässt.
      </>
    ),
    itsAccount: 'dem Konto des Kanals',
    nobody:
      'Niemand kann hier als du eingelassen werden, deshalb lässt sich kein Test senden. Andere können trotzdem hier schreiben.',
  },
  keep: {
    start: 'Mit diesem Computer starten',
    where:
      'Eine Seite kann das nicht einrichten. Es geschieht in einem Terminal dieses Computers, jetzt oder später; bis dahin starte Countersign nach jedem Neustart wieder.',
    completions: 'Vervollständigung für die Shell',
    completionsAbout:
      'Für alle, die im Terminal arbeiten: Jeder Befehl gibt ein Skript aus. Wohin es gehört, steht im Handbuch deiner Shell.',
    copyFor: (shell) => `Für ${shell} kopieren`,
  },
  recipes: {
    finish: 'Abschließen',
    add: (count) => plural(count, { other: '# hinzufügen und abschließen' }),
    about:
      'Das Monatslimit für unbeaufsichtigte Arbeit. Bei 0 werden die Automatisierungen hinzugefügt, aber angehalten. Was ein Lauf kostet, hängt von deinem Modell ab.',
    number: 'Eine Zahl eingeben, zum Beispiel 1.',
    status: { active: 'ein', paused: 'angehalten' },
    upTo: 'Bis',
    atMost: (cost) => <>höchstens {cost} je Lauf</>,
  },
  finished: {
    done: 'Alles ist eingerichtet',
    notDone: 'Die Einrichtung ist noch nicht fertig',
    doneAbout: 'Es arbeitet in den Grenzen, die du gewählt hast, und fragt dich bei allem anderen.',
    notDoneAbout: 'Du kannst jetzt oder später weitermachen. Unter Heute steht, was noch fehlt.',
    left: 'Übersprungen',
    may: 'Was er tun darf',
    spend: 'Was er ausgeben darf',
    spendAbout: (month, alone) => (
      <>
        Höchstens {month} im Monat, davon {alone} für Arbeit, die von selbst beginnt.
      </>
    ),
    added: 'Was hinzugefügt wurde',
    addedPaused: 'pausiert: für Arbeit, die von selbst beginnt, ist kein Geld da',
    nothingAdded: 'Noch keine Automation.',
    say: 'Drei Dinge zum Weitermachen',
    examples: [
      'Was kannst du hier tun?',
      'Welche Dateien sind in meinem Arbeitsbereich?',
      'Erinnere mich morgen um 9 ans Blumengießen.',
    ],
    chat: 'Unterhaltung beginnen',
    today: 'Gehe zu Heute',
  },
}
