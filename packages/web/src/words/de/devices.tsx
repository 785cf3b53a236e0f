import type { Translation } from '../../language/current.ts'
import { plural } from '../../language/plural.ts'
import type { words } from '../devices.tsx'

export const devices: Translation<typeof words> = {
  title: 'Geräte',
  count: (count) => plural(count, { one: '# Gerät', other: '# Geräte' }),
  addDevice: 'Gerät hinzufügen',
  addPasskey: 'Passkey hinzufügen',
  paired: 'Gekoppelte Geräte',
  passkeys: 'Passkeys',
  asking: (count) =>
    plural(count, { one: 'Ein Gerät möchte gekoppelt werden', other: '# Geräte möchten gekoppelt werden' }),
  notListed: 'Das Gateway führt diesen Browser nicht auf.',
  lowReach:
    'Dieser Browser kann nicht freigeben, was aus deiner Hand geht. Er kann Geräte ansehen und sich selbst entfernen.',
  lowReachNext:
    'Um andere Geräte zu koppeln oder zu widerrufen, benutze eines, das freigeben kann, was aus deiner Hand geht, oder deinen Passkey, wo er angeboten wird.',
  problems: (count) =>
    plural(count, {
      one: '# Aussage über Geräte wurde ignoriert',
      other: '# Aussagen über Geräte wurden ignoriert',
    }),
  revokedCount: (count) => plural(count, { other: '# widerrufen' }),
  revokedDevice: (name, when) => (
    <>
      {name}, Gerät, widerrufen {when}
    </>
  ),
  revokedPasskey: (name, when) => (
    <>
      {name}, Passkey, widerrufen {when}
    </>
  ),
  revokedNode: (name, when) => (
    <>
      {name}, Node, widerrufen {when}
    </>
  ),
  keepIt: 'Behalten',
  revoke: 'Widerrufen',
  reach: {
    0: { word: 'Ansehen', does: 'Kann nur ansehen', about: 'Sieht alles, entscheidet nichts.' },
    2: {
      word: 'Entscheiden',
      does: 'Kann freigeben, was in deiner Hand bleibt',
      about:
        'Gibt frei, was in deiner Hand bleibt, lehnt alles ab, beantwortet Fragen, sendet Nachrichten und hält an.',
    },
    3: {
      word: 'Alles freigeben',
      does: 'Kann alles außer kritischen Aktionen freigeben',
      about:
        'Gibt mit dem eigenen Schlüssel frei, was aus deiner Hand geht, ändert Einstellungen und Geheimnisse und koppelt andere Geräte.',
    },
  },
  presence: {
    connected: 'verbunden',
    windows: (count) => plural(count, { other: 'verbunden, # Fenster' }),
    never: 'seit dem Start des Gateways nicht gesehen',
    seen: 'zuletzt gesehen',
  },
  row: {
    thisBrowser: 'dieser Browser',
    host: 'der Host selbst',
    added: (when) => <>hinzugefügt {when}</>,
    change: 'Ändern',
    changeNamed: (name) => `${name} ändern`,
    rename: 'Umbenennen …',
    limit: 'Einschränken …',
    changeReach: 'Zugriff ändern …',
    revoke: 'Widerrufen …',
    lastLimit: 'Es ist das letzte Gerät, das freigeben kann, was aus deiner Hand geht.',
    lastRevoke: 'Kopple zuerst ein anderes Gerät, das freigeben kann, was aus deiner Hand geht.',
    idAndKey: 'ID und Schlüssel',
    id: 'ID',
    fingerprint: 'Fingerabdruck',
    command: 'Befehl',
  },
  rename: {
    title: 'Umbenennen',
    name: 'Name',
    hint: 'Der Name steht in Belegen: „freigegeben auf …“.',
    done: (name, ledger) => `Umbenannt in „${name}“. Ledger #${ledger}.`,
  },
  access: {
    title: (name) => `Zugriff von ${name}`,
    description:
      'Weniger Zugriff gilt sofort: Das Gerät wird getrennt und verbindet sich mit der neuen Grenze wieder.',
    more: 'Mehr erlauben',
    less: 'Einschränken',
    label: 'Zugriff',
    same: 'Das ist der aktuelle Zugriff.',
    passkey: 'Dein Passkey wird abgefragt.',
    key: 'Der Schlüssel dieses Browsers signiert die Änderung.',
    thisOne: 'Das ist der Browser, den du gerade benutzt.',
    done: {
      0: (name) => `${name} kann jetzt nur noch ansehen.`,
      2: (name) => `${name} kann jetzt freigeben, was in deiner Hand bleibt.`,
      3: (name) => `${name} kann jetzt alles außer kritischen Aktionen freigeben.`,
    },
  },
  revoking: {
    title: (name) => `${name} widerrufen?`,
    description:
      'Der Widerruf gilt sofort und für immer. Um zurückzukommen, muss das Gerät mit einem neuen Schlüssel gekoppelt werden.',
    thisOne:
      'Das ist der Browser, den du gerade benutzt. Er vergisst seinen Schlüssel und muss neu gekoppelt werden.',
    root: 'Das ist der Schlüssel des Hosts. Danach funktioniert dort kein countersign-Befehl mehr.',
    stays: 'Was es freigegeben hat, bleibt freigegeben. Belege behalten seinen Namen.',
    done: (name) => `${name} ist widerrufen.`,
  },
  add: {
    title: 'Gerät hinzufügen',
    description:
      'Das Gerät erzeugt einen eigenen Schlüssel und zeigt sechs Wörter. Erlaube es hier, wenn die Wörter übereinstimmen.',
    where: 'Wo ist es?',
    here: 'Ein anderer Browser auf diesem Computer',
    elsewhere: 'Ein Telefon oder ein anderer Computer',
    node: 'Ein Computer, der für dich handelt',
    phone1: 'Gib in einem Terminal auf dem Computer des Gateways ein:',
    phone2: 'Fotografiere das Bild, das es zeigt. Der Link gilt einmal und fünf Minuten lang.',
    phone3:
      'Vergleiche die sechs Wörter auf beiden Seiten und bestätige im Terminal oder oben auf dieser Seite.',
    hint: 'Dafür braucht dieser Computer einen https-Namen, von Tailscale Serve oder einem eigenen Proxy, der als öffentliche Adresse eingetragen ist. Der Befehl sagt, wie.',
    nodeDescription:
      'Der Computer erzeugt einen eigenen Schlüssel und zeigt sechs Wörter. Der Host lässt ihn ein, wenn die Wörter übereinstimmen.',
    node1: 'Gib in einem Terminal auf dem Computer des Gateways ein:',
    node2: 'Installiere Countersign auf dem anderen Computer und führe dort aus, was es zeigt.',
    node3: 'Dort erscheinen sechs Wörter. Gib auf dem Computer des Gateways ein:',
    node4: 'Lass ihn nur ein, wenn beide dieselben Wörter in derselben Reihenfolge zeigen.',
    nodeHint:
      'Wie ein Telefon braucht er einen https-Namen für das Gateway, von Tailscale Serve oder einem eigenen Proxy, der als öffentliche Adresse eingetragen ist.',
    step1: (url, copy) => (
      <>
        Öffne {url} auf dem Gerät. {copy}
      </>
    ),
    step2: 'Wähle „Sechs Wörter anzeigen“.',
    step3: 'Kehre zu dieser Seite zurück. Die Anfrage steht oben: Vergleiche die Wörter und erlaube sie.',
  },
  passkey: {
    title: 'Passkey hinzufügen',
    description:
      'Kritische Aufrufe laufen nur, wenn dein Fingerabdruck, dein Gesicht oder ein Sicherheitsschlüssel genau diesen Aufruf bestätigt.',
    make: 'Anlegen',
    name: 'Name',
    placeholder: 'Fingerabdruck dieses Laptops',
    hint: (site) => `Er funktioniert nur unter ${site}.`,
    first: 'Von da an ist er auch nötig, um ein neues Gerät zu koppeln.',
    second:
      'Der Browser fragt zweimal: nach dem neuen Passkey und nach einem vorhandenen, der ihn bestätigt.',
    spare: 'Füge einen zweiten hinzu und bewahre ihn woanders auf, falls der erste verloren geht.',
    makeAndAsk: 'Anlegen und anfragen',
    notAccepted:
      'Passkeys gelten unter dieser Adresse noch nicht. Führe auf dem Computer des Gateways countersign open --phone aus.',
    elsewhere: (sites) =>
      `Deine Passkeys funktionieren unter ${sites}. Ist dieser angelegt, gib ihn innerhalb von fünf Minuten auf einem Gerät dort frei: Beide Bildschirme zeigen dieselben sechs Wörter.`,
    asked: (name) => `Der Passkey „${name}“ wartet auf deine Freigabe auf einem anderen Gerät.`,
    registered: (name) => `Der Passkey „${name}“ ist registriert.`,
    none: 'Kein Passkey ist registriert, deshalb können kritische Aufrufe nicht freigegeben werden. Ein Passkey braucht einen Fingerabdruck, ein Gesicht oder einen Sicherheitsschlüssel.',
    works: (site, when) => (
      <>
        funktioniert unter {site} · hinzugefügt {when}
      </>
    ),
    revokeNamed: (name) => `Passkey ${name} widerrufen`,
    revokeTitle: (name) => `Passkey „${name}“ widerrufen?`,
    revokeDescription: 'Der Widerruf gilt sofort und für immer und braucht einen Passkey.',
    revoked: (name) => `Der Passkey „${name}“ ist widerrufen.`,
    last: 'Das ist dein letzter Passkey. Bis du einen neuen hinzufügst, kann kein kritischer Aufruf freigegeben werden, und für neue Geräte genügt der Schlüssel eines Geräts.',
  },
  request: {
    title: (name) => <>{name} möchte gekoppelt werden</>,
    left: (left) => `noch ${left}`,
    compare:
      'Erlaube es nur, wenn der andere Bildschirm diese sechs Wörter in dieser Reihenfolge zeigt. Hast du das nicht gerade selbst angefragt, lehne ab.',
    fromTerminal: (command) => (
      <>
        Die Anfrage gibt an, von {command} zu kommen. Überlasse sie dem Terminal und erlaube sie nicht hier.
      </>
    ),
    words: 'Die sechs Wörter',
    access: 'Zugriff',
    refuse: 'Ablehnen',
    needsPasskey: 'Braucht deinen Passkey.',
    approve: 'Die Wörter stimmen überein, koppeln',
    paired: (name) => `${name} ist gekoppelt.`,
    refused: (name, ledger) => `${name} wurde abgelehnt. Ledger #${ledger}.`,
  },
  passkeyRequest: {
    asking: (count) =>
      plural(count, { one: 'Ein Passkey wartet auf Freigabe', other: '# Passkeys warten auf Freigabe' }),
    title: (device, name) => (
      <>
        {device} hat den Passkey „{name}“ angelegt
      </>
    ),
    own: (name) => <>Dein Passkey „{name}“</>,
    site: (site) => <>für {site}</>,
    elsewhere: (sites) =>
      `Öffne Geräte dort, wo ein Passkey von dir funktioniert (${sites}). Gib ihn nur frei, wenn dort diese sechs Wörter in dieser Reihenfolge stehen.`,
    compare:
      'Gib ihn nur frei, wenn der andere Bildschirm diese sechs Wörter in dieser Reihenfolge zeigt. Von da an gibt er kritische Aktionen frei wie deine anderen Passkeys. Hast du ihn nicht gerade selbst angelegt, lehne ab.',
    approve: 'Die Wörter stimmen überein, aufnehmen',
    withdraw: 'Zurückziehen',
    withdrawn: (name, ledger) => `Der Passkey „${name}“ wurde zurückgezogen. Ledger #${ledger}.`,
    refused: (name, ledger) => `Der Passkey „${name}“ wurde abgelehnt. Ledger #${ledger}.`,
    notAdded:
      'Er wurde nicht aufgenommen. Lösche ihn aus den Passkeys dieses Geräts oder lege einen anderen an.',
  },
  nodes: {
    title: 'Nodes',
    none: 'Kein anderer Computer handelt für dich. Ein Node führt dort Aufrufe aus und prüft jeden davon selbst.',
    add: 'Node hinzufügen',
    asking: (count) =>
      plural(count, {
        one: 'Ein Computer möchte für dich handeln',
        other: '# Computer möchten für dich handeln',
      }),
    busy: (count) => plural(count, { one: 'führt # Aufruf aus', other: 'führt # Aufrufe aus' }),
    otherVersion: (version) =>
      `Das Gateway hat Version ${version}. Aktualisiere das ältere von beiden, wenn Aufrufe abgelehnt werden.`,
    noSandbox: 'Er hat keine Sandbox und führt deshalb keine Programme aus.',
    complains: 'Das Ledger, das ihm gezeigt wurde, ist nicht das, welches er vorher sah',
    complaintNext:
      'Vielleicht hat jemand geändert, was geschehen ist. Halte alles an und sieh auf dem Host nach, was jeder Zeuge sah und was in einer Sicherung des Ledgers steht.',
    saidNothing:
      'Er hat sich seit dem Start des Gateways nicht verbunden, deshalb ist nicht bekannt, was er kann.',
    usable: (usable, all) =>
      plural(all, {
        one: `${usable} von # Fähigkeit ist benutzbar`,
        other: `${usable} von # Fähigkeiten sind benutzbar`,
      }),
    denied: (names) => `Dort verweigert: ${names}`,
    limitAbout:
      'Was du hier ausschaltest, wird abgelehnt, bevor der Node gefragt wird. Was sein Besitzer oder sein System nicht erlaubt, bleibt dort verboten, gleich was hier steht.',
    capabilities: {
      files: 'Dateien',
      shell: 'Shell',
      browser: 'Browser',
      screen: 'Bildschirm',
      camera: 'Kamera',
      clipboard: 'Zwischenablage',
      notifications: 'Benachrichtigungen',
      location: 'Standort',
    },
    states: {
      ready: 'bereit',
      off: 'dort ausgeschaltet',
      denied: 'von seinem System verweigert',
      missing: 'dort nicht vorhanden',
    },
    offHere: 'hier aus',
    allowed: (capability, node) => `${capability} von ${node} ist wieder benutzbar.`,
    limited: (capability, node) => `${capability} von ${node} ist aus.`,
    folder: 'Ordner',
    sandbox: 'Sandbox',
    witnessed: 'Ledger gesehen',
    entries: (count) => plural(count, { one: '# Eintrag', other: '# Einträge' }),
    rename: {
      title: (name) => `${name} umbenennen`,
      about:
        'Der Name steht auf Freigabekarten, deshalb vergibt ihn nur der Host selbst. Führe den Befehl dort aus.',
    },
    revoke: {
      about:
        'Er wird sofort und für immer getrennt. Um zurückzukommen, muss der Computer mit einem neuen Schlüssel gekoppelt werden.',
      busy: (count) =>
        plural(count, {
          one: '# Aufruf läuft dort gerade. Ob er durchging, wird nicht bekannt sein.',
          other: '# Aufrufe laufen dort gerade. Ob sie durchgingen, wird nicht bekannt sein.',
        }),
    },
    request: {
      title: (name) => <>{name} möchte für dich handeln</>,
      about:
        'Eingelassen wird er auf dem Computer des Gateways, wo sich seine Wörter prüfen lassen. Führe dies dort aus und vergleiche sie. Hast du das nicht gerade selbst begonnen, lehne ab.',
    },
  },
  origins: {
    title: 'Adressen',
    served: 'in Gebrauch',
    notServed: 'nicht in Gebrauch',
    thisPage: 'diese Seite',
    notServedAbout:
      'Sie gehört nicht zu den öffentlichen Adressen des Gateways, deshalb antwortet dort nichts.',
    local: 'Dieser Computer selbst. Passkeys gelten dort immer.',
    passkeys: (count) =>
      count === 0
        ? 'Noch keiner funktioniert dort.'
        : plural(count, { one: '# funktioniert dort.', other: '# funktionieren dort.' }),
    accepted: (when) => <>Passkeys gelten dort, angenommen {when}.</>,
    notAccepted: 'Passkeys gelten dort erst, wenn der Host es erlaubt.',
    none: 'Die App ist nur von diesem Computer aus erreichbar. Ein Telefon braucht dafür einen https-Namen, von Tailscale Serve oder einem eigenen Proxy.',
    add: 'Adresse hinzufügen',
    addAbout:
      'Ein Telefon erreicht die App über einen eigenen Proxy mit einem Namen und einem Zertifikat. Welche Namen das sind, wird auf dem Computer des Gateways festgelegt.',
    address: 'Adresse',
    addressHint: 'Die Befehle unten folgen deiner Eingabe. Von hier aus wird nichts geändert.',
    addressProblem:
      'Schreibe https:// und einen Namen, etwa https://home.example.com. Eine IP-Adresse geht nicht.',
    add1: 'Lass einen Proxy diesen Namen zum Gateway führen. Mit Tailscale genügt dies; die Anleitung zum Fernzugriff hat die Zeilen für Caddy und nginx.',
    add2: 'Nenne die Adresse und den Proxy, dem geglaubt wird. Hier läuft der Proxy auf dem Computer des Gateways:',
    add3: 'Starte das Gateway neu:',
    add4: 'Kopple dort ein Telefon. Der Befehl fragt, ob Passkeys unter der neuen Adresse gelten:',
    addHint:
      'Ob es funktioniert, sagt countersign doctor. Ist COUNTERSIGN_PUBLIC_ORIGINS gesetzt, gilt es anstelle der Einstellung.',
    stop: 'Beenden …',
    stopNamed: (origin) => `${origin} beenden`,
    stopTitle: (origin) => `${origin} beenden?`,
    stopAbout: 'Damit die App dort nicht mehr antwortet, gib auf dem Computer des Gateways ein:',
    stopHint:
      'Nimm sie danach aus deinem Proxy. Ist COUNTERSIGN_PUBLIC_ORIGINS gesetzt, ändere stattdessen das. Geräte bleiben gekoppelt.',
    revoke: 'Passkeys dort beenden',
    revokeAbout:
      'Dort angelegte Passkeys können sofort aufhören zu gelten. Geräte bleiben gekoppelt, und der Host kann die Adresse wieder annehmen.',
    revoked: (origin) => `Passkeys gelten unter ${origin} nicht mehr.`,
  },
  proof: {
    notHere:
      'Dieser Browser kann nicht freigeben, was aus deiner Hand geht, und deshalb keine anderen Geräte koppeln.',
    last: 'Es ist das letzte Gerät, das freigeben kann, was aus deiner Hand geht. Kopple zuerst ein anderes.',
    neither: 'Dafür ist ein Gerät nötig, das freigeben kann, was aus deiner Hand geht, oder ein Passkey.',
    elsewhere: (sites) =>
      `Dafür ist ein Passkey nötig, und deine funktionieren unter ${sites}. Öffne die App dort.`,
    otherSigned: 'Der Browser hat eine andere Aussage signiert. Lade die Seite neu und versuche es erneut.',
    cancelled: 'Nichts wurde geändert: Der Passkey wurde nicht benutzt.',
    done: (sentence, ledger) => `${sentence} Ledger #${ledger}.`,
  },
  table: {
    title: 'Was jedes Gerät freigeben darf',
    nothing: 'nichts',
    upTo: 'bis',
    passkey: 'Ein Passkey',
    passkeyAbout: 'Bestätigt, dass du da bist, für genau einen Aufruf. Kein Gerät kann das allein.',
    note: (policy) => (
      <>
        Jedes Gerät, das entscheiden kann, kann auch ablehnen. Nichts gibt sich selbst frei. Was keine
        Freigabe braucht, steht unter {policy}.
      </>
    ),
    policy: 'Richtlinien',
  },
}
