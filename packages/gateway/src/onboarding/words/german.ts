import type { SetupWords } from './english.ts'

export const german: SetupWords = {
  steps: {
    check: {
      title: 'Diesen Computer prüfen',
      about: 'Speicherplatz, Uhr, Sandbox, Schlüsselablage und Hintergrunddienst.',
    },
    you: { title: 'Du', about: 'Dein Name und ein Passkey für kritische Aktionen.' },
    model: {
      title: 'Modell',
      about:
        'Welches Modell antwortet. Ein Schlüssel wird sofort getestet und im Tresor gespeichert; die Demo braucht keinen.',
    },
    safety: { title: 'Sicherheit', about: 'Wann es dich fragt und wie viel es im Monat ausgeben darf.' },
    action: { title: 'Erste Aktion', about: 'Eine echte Aufgabe mit einer echten Entscheidung von dir.' },
    reach: {
      title: 'Benachrichtigung',
      about:
        'Wie du erfährst, dass eine Freigabe auf dich wartet. Am Ende kommt eine Nachricht auf deinem Telefon an.',
    },
    keep: {
      title: 'Dauerbetrieb',
      about: 'Ein Dienst, der mit diesem Computer startet, und Vervollständigung für deine Shell.',
    },
    recipes: {
      title: 'Fertige Automationen',
      about: 'Kleine Automatisierungen für den Anfang. Nimm keine, eine oder mehrere.',
    },
  },
  check: {
    names: {
      disk: 'Speicherplatz',
      clock: 'Uhr',
      sandbox: 'Sandbox',
      keys: 'Schlüssel',
      service: 'Dienst',
    },
    disk: {
      free: (gibibytes, folder) => `${gibibytes} GiB frei unter ${folder}`,
      full: 'Gib Speicherplatz frei. Ohne ihn kann nichts aufgezeichnet werden, und deshalb läuft nichts.',
      low: 'Gib bald Speicherplatz frei.',
    },
    clock: {
      behind: (now, written) => `hier ist es ${now}, aber es gibt Dateien von ${written}`,
      fix: 'Stelle die Uhr dieses Computers richtig.',
    },
    noSandbox: (reason) =>
      `${reason} Die Werkzeuge für Dateien und Shell bleiben aus; alles andere funktioniert`,
    keys: {
      none: 'die Ablage wird mit dem ersten Geheimnis gewählt',
      keyring: 'im Schlüsselbund dieses Computers',
      file: (folder) => `in ${folder}, nur für dich lesbar`,
    },
    noService: {
      evidence: 'kein Dienstmanager, deshalb läuft es bis zum Neustart dieses Computers',
      fix: 'Starte Countersign nach jedem Neustart wieder.',
    },
  },
  safety: {
    levels: {
      none: 'Es fragt vor jeder Aktion, auch vor dem Lesen.',
      low: 'Es liest, worauf du ihm Zugriff gegeben hast, und fragt vor jeder Änderung.',
      medium: 'Es liest und macht umkehrbare Änderungen. Es fragt, bevor etwas deinen Computer verlässt.',
      high: 'Es liest auch im Web. Es fragt vor Aktionen, die andere sehen oder die schwer rückgängig zu machen sind.',
      full: 'Die Regeln erlauben so viel wie bei high. Aktionen, die andere sehen, brauchen weiterhin das Siegel deines Geräts.',
    },
    choices: {
      boundaries: 'An Grenzen fragen',
      everything: 'Immer fragen',
      custom: 'Ich wähle die Stufe',
    },
    custom: 'Eine von fünf Stufen, von „vor jeder Aktion fragen“ bis „fast nie fragen“.',
  },
  action: {
    choices: {
      tidy: {
        title: 'Einen Beispielordner aufräumen',
        about:
          'Verschiebt sechs Beispieldateien in Ordner. Jedes Verschieben lässt sich rückgängig machen. Am Ende fragt es, ob es das jeden Freitag tun soll.',
      },
      page: {
        title: 'Eine Webseite zusammenfassen',
        about: 'Liest eine Seite, deren Adresse du eingibst. Deren Server erfährt von der Anfrage.',
      },
      draft: {
        title: 'Eine Antwort entwerfen',
        about:
          'Liest eine Beispielnachricht und entwirft eine Antwort in deinem Namen. Du siehst jedes Wort. Der Entwurf wird gespeichert, nie gesendet.',
      },
    },
    needsWeb: 'Schaltet die Web-Werkzeuge ein und braucht eine Netzverbindung.',
    noApprovedCall: (why) => `Es endete, ohne es zu tun.${why} Wähle erneut.`,
    notFinished: (why) => `Es wurde nicht fertig.${why} Wähle erneut.`,
  },
  reach: {
    push: {
      title: 'Push an diesen Browser oder dieses Telefon',
      about: 'Eine Benachrichtigung nur mit der Überschrift. Du erlaubst sie in jedem Browser einmal.',
      approves:
        'Öffnet die Freigabekarte. Was aus deiner Hand geht, braucht ein Gerät, das es freigeben darf.',
    },
    terminal: {
      title: 'Terminal',
      about: 'Ein Terminal dieses Computers zeigt, was wartet, und nimmt deine Entscheidung an.',
      approves: 'Alles außer kritischen Aktionen; diese brauchen einen Passkey.',
    },
  },
  keep: {
    systemd: 'Schreibt ~/.config/systemd/user/countersign.service, womit das Gateway startet.',
    systemdStart: 'Aktiviert und startet den Dienst nur für deinen Benutzer, ohne root.',
    launchd: 'Schreibt ~/Library/LaunchAgents/countersign.plist, womit das Gateway startet.',
    launchdStart: 'Lädt den Dienst nur für deinen Benutzer.',
    folders: (data, logs) => `Daten bleiben in ${data}, Protokolle in ${logs}.`,
    none: 'Es wurde kein Dienstmanager gefunden. Starte Countersign nach jedem Neustart dieses Computers wieder.',
  },
  recipes: {
    brief: {
      about: 'Termine, fällige Aufgaben und was auf dich wartet, in zehn Zeilen.',
      may: 'Liest Kalender, Aufgaben und Ziele. Ändert nichts.',
    },
    feed: {
      about: 'Was heute für dich erledigt wurde, mit Verweis auf jeden Eintrag im Ledger.',
      may: 'Liest das Ledger. Ändert nichts.',
    },
    tidy: {
      about: 'Sortiert die Dateien im Ordner Downloads nach Art in Ordner.',
      may: 'Verschiebt Dateien im Arbeitsordner. Jedes Verschieben lässt sich rückgängig machen.',
    },
    receipts: {
      about: 'Benennt und sortiert jeden Beleg, den du in den Ordner Receipts legst.',
      may: 'Liest und verschiebt Dateien im Arbeitsordner. Jedes Verschieben lässt sich rückgängig machen.',
    },
    page: {
      about:
        'Liest einmal am Tag eine Seite und meldet Änderungen. Die Adresse legst du in der Automatisierung fest.',
      may: 'Ruft diese Seite ab; es fragt jedes Mal, bis du es für länger erlaubst. Braucht die Web-Werkzeuge.',
    },
    review: {
      about: 'Welche Ziele vorankamen, welche nicht, und der nächste Schritt für jedes.',
      may: 'Liest Ziele, Aufgaben und Unterhaltungen. Ändert nichts.',
    },
    birthdays: {
      about: 'Erinnert dich eine Woche vorher an Geburtstage.',
      may: 'Liest deine Kontakte. Ändert nichts.',
    },
    notes: {
      about: 'Macht aus dem, was du dir vorgenommen und notiert hast, Aufgaben.',
      may: 'Liest Notizen und legt Aufgaben an. Jede Aufgabe lässt sich rückgängig machen.',
    },
  },
}
