/** What the Devices screen says. */
import type { ReactNode } from 'react'
import { inLanguage } from '../language/current.ts'
import { plural } from '../language/plural.ts'

export const words = inLanguage('devices', {
  title: 'Devices',
  count: (count: number) => plural(count, { one: '# device', other: '# devices' }),
  addDevice: 'Add a device',
  addPasskey: 'Add a passkey',
  paired: 'Paired devices',
  passkeys: 'Passkeys',
  asking: (count: number) =>
    plural(count, { one: 'A device wants to be paired', other: '# devices want to be paired' }),
  notListed: 'The gateway does not list this browser.',
  lowReach: 'This browser cannot approve what leaves your hands. It can view devices and remove itself.',
  lowReachNext:
    'To pair or revoke other devices, use one that can approve what leaves your hands, or your passkey where it is offered.',
  problems: (count: number) =>
    plural(count, {
      one: '# statement about devices was ignored',
      other: '# statements about devices were ignored',
    }),
  revokedCount: (count: number) => plural(count, { other: '# revoked' }),
  revokedDevice: (name: ReactNode, when: ReactNode) => (
    <>
      {name}, device, revoked {when}
    </>
  ),
  revokedPasskey: (name: ReactNode, when: ReactNode) => (
    <>
      {name}, passkey, revoked {when}
    </>
  ),
  revokedNode: (name: ReactNode, when: ReactNode) => (
    <>
      {name}, node, revoked {when}
    </>
  ),
  keepIt: 'Keep it',
  revoke: 'Revoke',
  reach: {
    0: { word: 'View', does: 'Can view only', about: 'Sees everything, decides nothing.' },
    2: {
      word: 'Decide',
      does: 'Can approve what stays in your hands',
      about:
        'Approves what stays in your hands, denies anything, answers questions, sends messages and pauses.',
    },
    3: {
      word: 'Approve all',
      does: 'Can approve everything except critical actions',
      about:
        'Approves what leaves your hands with its own key, changes settings and secrets, and pairs other devices.',
    },
  },
  presence: {
    connected: 'connected',
    windows: (count: number) => plural(count, { one: 'connected, # window', other: 'connected, # windows' }),
    never: 'not seen since the gateway started',
    seen: 'last seen',
  },
  row: {
    thisBrowser: 'this browser',
    host: 'the host itself',
    added: (when: ReactNode) => <>added {when}</>,
    change: 'Change',
    changeNamed: (name: string) => `Change ${name}`,
    rename: 'Rename…',
    limit: 'Limit…',
    changeReach: 'Change its access…',
    revoke: 'Revoke…',
    lastLimit: 'It is the last device that can approve what leaves your hands.',
    lastRevoke: 'Pair another device that can approve what leaves your hands first.',
    idAndKey: 'ID and key',
    id: 'ID',
    fingerprint: 'Fingerprint',
    command: 'Command',
  },
  rename: {
    title: 'Rename',
    name: 'Name',
    hint: 'The name appears in receipts: “approved on …”.',
    done: (name: string, ledger: number) => `Renamed to “${name}”. Ledger #${ledger}.`,
  },
  access: {
    title: (name: string) => `Access of ${name}`,
    description:
      'Reducing access takes effect immediately: the device is disconnected and reconnects with the new limit.',
    more: 'Allow more',
    less: 'Limit',
    label: 'Access',
    same: 'This is its current access.',
    passkey: 'You will be asked for your passkey.',
    key: 'The key of this browser signs the change.',
    thisOne: 'This is the browser you are using.',
    done: {
      0: (name: string) => `${name} can now view only.`,
      2: (name: string) => `${name} can now approve what stays in your hands.`,
      3: (name: string) => `${name} can now approve everything except critical actions.`,
    },
  },
  revoking: {
    title: (name: string) => `Revoke ${name}?`,
    description: 'Revoking is immediate and permanent. To return, the device must be paired with a new key.',
    thisOne: 'This is the browser you are using. It will forget its key and must be paired again.',
    root: 'This is the key of the host. After this, no countersign command on the host will work.',
    stays: 'Everything it approved stays approved. Receipts keep its name.',
    done: (name: string) => `${name} is revoked.`,
  },
  add: {
    title: 'Add a device',
    description: 'The device creates its own key and shows six words. Approve it here if the words match.',
    where: 'Where is it?',
    here: 'Another browser on this computer',
    elsewhere: 'A phone or another computer',
    node: 'A computer that acts for you',
    phone1: 'In a terminal on the computer of the gateway, run',
    phone2: 'Scan the picture that it shows. The link works once, within five minutes.',
    phone3: 'Compare the six words on both sides, then confirm in the terminal or at the top of this screen.',
    hint: 'This needs an https name for this computer, from Tailscale Serve or your own proxy, set as a public origin. The command says how.',
    nodeDescription:
      'The computer creates its own key and shows six words. The host lets it in if the words match.',
    node1: 'In a terminal on the computer of the gateway, run',
    node2: 'Install Countersign on the other computer, and run there what it shows.',
    node3: 'Six words appear there. On the computer of the gateway, run',
    node4: 'Let it in only if both show the same words in the same order.',
    nodeHint:
      'Like a phone, it needs an https name for the gateway, from Tailscale Serve or your own proxy, set as a public origin.',
    step1: (url: ReactNode, copy: ReactNode) => (
      <>
        Open {url} on that device. {copy}
      </>
    ),
    step2: 'Choose “Show six words”.',
    step3: 'Return to this screen. The request appears at the top: compare the words and approve it.',
  },
  passkey: {
    title: 'Add a passkey',
    description:
      'Critical calls run only after your fingerprint, face or security key confirms exactly that call.',
    make: 'Create',
    name: 'Name',
    placeholder: 'Fingerprint of this laptop',
    hint: (site: string) => `It works only at ${site}.`,
    first: 'From then on, pairing a new device needs it too.',
    second: 'The browser asks twice: for the new passkey, and for an existing one that confirms it.',
    spare: 'Add a second one and keep it somewhere else in case you lose the first.',
    makeAndAsk: 'Create and ask',
    notAccepted:
      'Passkeys do not count at this address yet. On the computer of the gateway, run countersign open --phone.',
    elsewhere: (sites: string) =>
      `Your passkeys work at ${sites}. Once this one is created, approve it on a device there within five minutes: both screens show the same six words.`,
    asked: (name: string) => `The passkey “${name}” waits for your approval on another device.`,
    registered: (name: string) => `The passkey “${name}” is registered.`,
    none: 'No passkey is registered, so critical calls cannot be approved. A passkey needs a fingerprint, a face or a security key.',
    works: (site: ReactNode, when: ReactNode) => (
      <>
        works at {site} · added {when}
      </>
    ),
    revokeNamed: (name: string) => `Revoke the passkey ${name}`,
    revokeTitle: (name: string) => `Revoke the passkey “${name}”?`,
    revokeDescription: 'Removal is immediate and permanent, and needs a passkey.',
    revoked: (name: string) => `The passkey “${name}” is revoked.`,
    last: 'This is your last passkey. Until you add another, no critical call can be approved, and a device’s key alone is enough to pair new devices.',
  },
  request: {
    title: (name: ReactNode) => <>{name} wants to be paired</>,
    left: (left: string) => `${left} left`,
    compare:
      'Approve it only if the other screen shows these six words in this order. If you did not just request this, refuse it.',
    fromTerminal: (command: ReactNode) => (
      <>It claims to come from {command}. Leave it to the terminal; do not approve it here.</>
    ),
    words: 'The six words',
    access: 'Access',
    refuse: 'Refuse',
    needsPasskey: 'Needs your passkey.',
    approve: 'The words match, pair it',
    paired: (name: string) => `${name} is paired.`,
    refused: (name: string, ledger: number) => `${name} was refused. Ledger #${ledger}.`,
  },
  passkeyRequest: {
    asking: (count: number) =>
      plural(count, { one: 'A passkey waits for approval', other: '# passkeys wait for approval' }),
    title: (device: ReactNode, name: ReactNode) => (
      <>
        {device} made the passkey “{name}”
      </>
    ),
    own: (name: ReactNode) => <>Your passkey “{name}”</>,
    site: (site: ReactNode) => <>for {site}</>,
    elsewhere: (sites: string) =>
      `Open Devices where a passkey of yours works (${sites}). Approve it there only if these six words are shown in this order.`,
    compare:
      'Approve it only if the other screen shows these six words in this order. From then on it approves critical actions, as your other passkeys do. If you did not just make it, refuse it.',
    approve: 'The words match, add it',
    withdraw: 'Withdraw',
    withdrawn: (name: string, ledger: number) => `The passkey “${name}” was withdrawn. Ledger #${ledger}.`,
    refused: (name: string, ledger: number) => `The passkey “${name}” was refused. Ledger #${ledger}.`,
    notAdded: 'It was not added. Delete it from the passkeys of this device, or make another one.',
  },
  nodes: {
    title: 'Nodes',
    none: 'No other computer acts for you. A node runs calls there, and verifies each of them itself.',
    add: 'Add a node',
    asking: (count: number) =>
      plural(count, { one: 'A computer asks to act for you', other: '# computers ask to act for you' }),
    busy: (count: number) => plural(count, { one: 'running # call', other: 'running # calls' }),
    otherVersion: (version: string) =>
      `The gateway has version ${version}. Update the older of the two if calls are refused.`,
    noSandbox: 'It has no sandbox, so it runs no programs.',
    complains: 'The ledger it was shown is not the one it saw before',
    complaintNext:
      'Somebody may have changed what happened. Pause everything, then look at what each witness saw, and at a backup of the ledger, on the host.',
    saidNothing: 'It has not connected since the gateway started, so what it can do is not known.',
    usable: (usable: number, all: number) =>
      plural(all, {
        one: `${usable} of # capability can be used`,
        other: `${usable} of # capabilities can be used`,
      }),
    denied: (names: string) => `Denied there: ${names}`,
    limitAbout:
      'What you switch off here is refused before the node is asked. What its owner or its system does not allow stays refused there, whatever stands here.',
    capabilities: {
      files: 'Files',
      shell: 'Shell',
      browser: 'Browser',
      screen: 'Screen',
      camera: 'Camera',
      clipboard: 'Clipboard',
      notifications: 'Notifications',
      location: 'Location',
    },
    states: {
      ready: 'ready',
      off: 'switched off there',
      denied: 'denied by its system',
      missing: 'not available there',
    },
    offHere: 'off here',
    allowed: (capability: string, node: string) => `${capability} of ${node} can be used again.`,
    limited: (capability: string, node: string) => `${capability} of ${node} is off.`,
    folder: 'Folder',
    sandbox: 'Sandbox',
    witnessed: 'Ledger seen',
    entries: (count: number) => plural(count, { one: '# entry', other: '# entries' }),
    rename: {
      title: (name: string) => `Rename ${name}`,
      about: 'The name stands on approval cards, so only the host itself gives one. Run the command there.',
    },
    revoke: {
      about:
        'It is disconnected immediately and permanently. To return, the computer must be paired with a new key.',
      busy: (count: number) =>
        plural(count, {
          one: '# call runs there now. Whether it went through will not be known.',
          other: '# calls run there now. Whether they went through will not be known.',
        }),
    },
    request: {
      title: (name: ReactNode) => <>{name} asks to act for you</>,
      about:
        'It is let in on the computer of the gateway, where the words it shows can be checked. Run this there and compare them. If you did not just start it, refuse it.',
    },
  },
  origins: {
    title: 'Addresses',
    served: 'in use',
    notServed: 'not in use',
    thisPage: 'this page',
    notServedAbout: 'It is not among the public origins of the gateway, so nothing answers there.',
    local: 'This computer itself. Passkeys always count there.',
    passkeys: (count: number) =>
      count === 0
        ? 'None works there yet.'
        : plural(count, { one: '# works there.', other: '# work there.' }),
    accepted: (when: ReactNode) => <>Passkeys count there, accepted {when}.</>,
    notAccepted: 'Passkeys do not count there until the host accepts it.',
    none: 'The app is reached from this computer only. A phone needs an https name for it, from Tailscale Serve or your own proxy.',
    add: 'Add an address',
    addAbout:
      'A phone reaches the app through a proxy of yours that has a name and a certificate. Which names those are is set on the computer of the gateway.',
    address: 'Address',
    addressHint: 'The commands below follow what you type. Nothing is changed from here.',
    addressProblem:
      'Write https:// and a name, such as https://home.example.com. An IP address does not work.',
    add1: 'Have a proxy lead that name to the gateway. With Tailscale, this does it; the guide on remote access has the lines for Caddy and nginx.',
    add2: 'Name the address, and the proxy that is believed. Here the proxy runs on the computer of the gateway:',
    add3: 'Restart the gateway:',
    add4: 'Pair a phone there. The command asks whether passkeys count at the new address:',
    addHint:
      'To see whether it works, run countersign doctor. If COUNTERSIGN_PUBLIC_ORIGINS is set, it takes the place of the setting.',
    stop: 'Stop…',
    stopNamed: (origin: string) => `Stop ${origin}`,
    stopTitle: (origin: string) => `Stop ${origin}?`,
    stopAbout: 'To have the app no longer answer there, run on the computer of the gateway:',
    stopHint:
      'Then take it out of your proxy. If COUNTERSIGN_PUBLIC_ORIGINS is set, change that instead. Devices stay paired.',
    revoke: 'Stop passkeys there',
    revokeAbout:
      'Passkeys made there can stop counting at once. Devices stay paired, and the host can accept the address again.',
    revoked: (origin: string) => `Passkeys no longer count at ${origin}.`,
  },
  proof: {
    notHere: 'This browser cannot approve what leaves your hands, so it cannot pair other devices.',
    last: 'It is the last device that can approve what leaves your hands. Pair another one first.',
    neither: 'This needs a device that can approve what leaves your hands, or a passkey.',
    elsewhere: (sites: string) => `This needs a passkey, and yours work at ${sites}. Open the app there.`,
    otherSigned: 'The browser signed a different statement. Reload the page and try again.',
    cancelled: 'Nothing changed: the passkey was not used.',
    done: (sentence: string, ledger: number) => `${sentence} Ledger #${ledger}.`,
  },
  table: {
    title: 'What each device may approve',
    nothing: 'nothing',
    upTo: 'up to',
    passkey: 'A passkey',
    passkeyAbout: 'Confirms that you are present, for exactly one call. No device can do this alone.',
    note: (policy: ReactNode) => (
      <>
        Any device that can decide can also deny. Nothing approves itself. See {policy} for what needs no
        approval.
      </>
    ),
    policy: 'Policy',
  },
})
