import type { Translation } from '../../language/current.ts'
import type { words } from '../deciding.ts'

export const deciding: Translation<typeof words> = {
  approved: (ledger) => `Freigegeben. Ledger #${ledger}.`,
  denied: (ledger) => `Abgelehnt. Ledger #${ledger}.`,
  refusal: {
    written: (version) => `Ab jetzt wird das ohne Rückfrage abgelehnt (Fassung ${version} der Richtlinie).`,
    failed: (problem) => `Die Regel wurde nicht geschrieben: ${problem}`,
  },
  already: {
    pending: 'Diese Anfrage ist noch offen.',
    approved: 'Diese Anfrage wurde bereits freigegeben.',
    denied: 'Diese Anfrage wurde bereits abgelehnt.',
    expired: 'Diese Anfrage ist abgelaufen.',
    withdrawn: 'Diese Anfrage wurde zurückgezogen.',
    superseded: 'Diese Anfrage wurde durch eine neuere ersetzt.',
  },
  alreadyBy: (sentence, who) => `${sentence} Entschieden von ${who}.`,
  changed: (problem) => `Nicht freigegeben: ${problem}. Lade die Seite neu und lies die Anfrage noch einmal.`,
  cancelled: 'Nicht freigegeben: Der Passkey wurde nicht benutzt.',
  impossible: (reason, next) => `Nicht freigegeben: ${reason} ${next}`,
  refused: (message, next) => `${message} ${next}`,
  inline: { label: (code) => `Entscheidung ${code}`, open: 'Alle Einzelheiten' },
  unconfirmed: 'Das Gateway hat die Entscheidung nicht bestätigt. Die Anfrage ist noch offen.',
  noPasskey: 'Dafür ist ein Passkey nötig, und es ist keiner registriert.',
  addPasskey: 'Füge einen auf der Seite „Geräte“ hinzu.',
  otherBrowser: 'Benutze einen Browser, der deinen Passkey hat.',
  passkey: {
    insecure: (origin) => `Passkeys funktionieren nur über https oder localhost. Diese Seite ist ${origin}.`,
    address: (port) =>
      `Passkeys brauchen einen Hostnamen, keine IP-Adresse. Öffne stattdessen http://localhost:${port}.`,
    missing: 'Dieser Browser unterstützt keine Passkeys.',
    exists: 'Dieser Authenticator hat bereits einen Passkey für Countersign.',
    failed: (reason) => `Der Authenticator konnte nicht benutzt werden: ${reason}`,
  },
  direct: {
    undo: 'Rückgängig',
    undone: 'Rückgängig gemacht.',
    waits: 'Das wartet auf deine Freigabe.',
    review: 'Prüfen',
    tooLong: 'Das dauert lange. Unter Aktivität siehst du, was daraus wurde.',
  },
}
