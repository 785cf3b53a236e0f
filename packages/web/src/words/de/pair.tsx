import type { Translation } from '../../language/current.ts'
import type { words } from '../pair.tsx'

export const pair: Translation<typeof words> = {
  browser: 'Browser',
  thisComputer: 'diesem Computer',
  nameOn: (browser, platform) => `${browser} auf ${platform}`,
  title: 'Diesen Browser koppeln',
  intro: (gateway) =>
    `${gateway} kennt diesen Browser noch nicht. Er bekommt einen eigenen Schlüssel; es gibt kein Passwort und kein Cookie.`,
  here: {
    title: 'Auf dem Computer, auf dem das Gateway läuft',
    text: 'Gib dort in einem Terminal „countersign open“ ein. Es öffnet eine Seite, die sofort gekoppelt ist.',
    phone: 'Gib dort in einem Terminal diesen Befehl ein und fotografiere das Bild, das er zeigt.',
  },
  words: {
    title: 'Mit einem bereits gekoppelten Gerät',
    text: 'Beide Geräte zeigen sechs Wörter. Stimmen sie überein, erlaube diesen Browser auf dem anderen Gerät.',
    show: 'Sechs Wörter anzeigen',
  },
  passkey: {
    title: 'Mit deinem Passkey',
    text: 'Mit dem Passkey, den du für Countersign angelegt hast.',
    signIn: 'Mit Passkey anmelden',
    cancelled: 'Der Passkey wurde nicht benutzt. Versuche es erneut.',
  },
  asking: {
    title: 'Browser wird gekoppelt …',
    text: 'Er erzeugt einen eigenen Schlüssel, der diesen Browser nie verlässt.',
  },
  finishing: { title: 'Fast fertig', text: 'Dein Terminal koppelt diesen Browser. Das dauert einen Moment.' },
  refused: {
    title: 'Koppeln abgelehnt',
    text: 'Jemand hat diesen Browser auf einem vertrauten Gerät abgelehnt.',
  },
  expired: { title: 'Zeit abgelaufen', text: 'Niemand hat rechtzeitig geantwortet.' },
  again: 'Neu beginnen',
  noEd25519:
    'Dieser Browser kann den nötigen Schlüssel (Ed25519) nicht erzeugen. Aktualisiere ihn oder nimm einen anderen Browser.',
  compare: {
    title: 'Sechs Wörter vergleichen',
    text: (devices, name) => (
      <>
        Öffne auf einem bereits gekoppelten Gerät {devices} und suche „{name}“. Erlaube den Browser nur, wenn
        dort dieselben Wörter in derselben Reihenfolge stehen.
      </>
    ),
    devices: 'Geräte',
    terminal: (gateway) => `Oder erlaube ihn in einem Terminal von ${gateway}.`,
    waiting: (until) => `Warten. Die Wörter gelten bis ${until}.`,
    stop: 'Abbrechen',
  },
  insecure: {
    title: 'Unter dieser Adresse lässt sich kein Schlüssel speichern',
    text: (origin) =>
      `Browser speichern Schlüssel nur für https und localhost, und diese Seite ist ${origin}. Der Browser könnte nicht beweisen, dass er deiner ist.`,
    local: (address) => <>Öffne auf dem Computer, auf dem das Gateway läuft, {address}.</>,
    https: 'Benutze von anderswo einen https-Namen, etwa über einen eigenen Proxy oder ein privates Netz.',
    tunnel: (command, address) => (
      <>
        Oder leite den Port mit {command} weiter und öffne {address}.
      </>
    ),
    yourHost: 'dein-host',
  },
  unproven: {
    title: 'Das ist nicht dein Gateway',
    text: (message) =>
      `${message} Vielleicht benutzt ein anderes Programm seine Adresse. Dafür wurde nichts signiert.`,
    next: 'Prüfe auf dem Computer, auf dem das Gateway läuft, ob es läuft. Wenn du es neu eingerichtet hast, gib dort in einem Terminal „countersign open“ ein; das koppelt einen Browser neu.',
  },
  unreachable: {
    title: 'Das Gateway antwortet nicht',
    text: (message) =>
      `${message} Starte es auf dem Computer, auf dem es installiert ist, und versuche es erneut.`,
  },
}
