import type { Translation } from '../../language/current.ts'
import type { words } from '../settings.tsx'

export const settings: Translation<typeof words> = {
  title: 'Einstellungen',
  tabs: { browser: 'Dieser Browser', secrets: 'Geheimnisse' },
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
    toggle: 'Benachrichtigen, wenn etwas mich braucht',
    hint: 'Freigaben, Fragen und fehlgeschlagene Automatisierungen.',
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
      'Das Gateway führt den Schlüssel auf, bis er widerrufen ist. Gehört dir dieser Computer nicht mehr, widerrufe ihn stattdessen:',
    name: 'Name',
    nameHint: 'Der Name steht in Belegen: „freigegeben auf …“.',
    rename: 'Umbenennen',
    renamed: (name, ledger) => `Umbenannt in „${name}“. Ledger #${ledger}.`,
  },
}
