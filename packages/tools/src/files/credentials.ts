/**
 * The table of where keys and credentials of the operator are on the host. Reading one of these hands out authority, so
 * only a passkey opens it, one path for one call.
 *
 * A path that begins with `~` is in a home folder: that of the operator, and of everybody else. `*` stands for any part
 * of a name. An entry that is a folder covers everything in it. Two stars in front mean a file of that name anywhere;
 * with two stars behind as well, such a folder with all that is in it.
 */
import { folded } from './host-run-match.ts'

interface CredentialPlace {
  readonly what: string
  readonly paths: readonly string[]
}

export const credentialPlaces: readonly CredentialPlace[] = [
  { what: 'keys and hosts of SSH', paths: ['~/.ssh', '/etc/ssh', '/etc/dropbear'] },
  { what: 'keys of GnuPG', paths: ['~/.gnupg', '~/Library/GnuPG', '~/.config/gnupg'] },
  {
    what: 'keys for encryption or signing',
    paths: [
      '~/.age',
      '~/.config/age',
      '~/.config/sops',
      '~/.minisign',
      '~/.signify',
      '~/.pki',
      '~/.step',
      '~/.sigstore',
      '~/.config/cosign',
      '~/.gitsign',
      '~/.android/adbkey',
      '~/.android/debug.keystore',
      '/etc/ssl/private',
      '/etc/pki/tls/private',
      '/etc/letsencrypt',
      '/etc/wireguard',
      '/etc/openvpn',
    ],
  },
  {
    what: 'credentials of a cloud',
    paths: [
      '~/.aws',
      '~/.azure',
      '~/.config/gcloud',
      '~/.config/doctl',
      '~/.config/hcloud',
      '~/.config/linode-cli',
      '~/.config/scw',
      '~/.config/exoscale',
      '~/.oci',
      '~/.aliyun',
      '~/.tccli',
      '~/.bluemix',
      '~/.config/rclone',
      '~/.config/configstore',
      '~/.boto',
      '~/.s3cfg',
      '~/.mc',
      '~/.terraform.d/credentials.tfrc.json',
      '~/.terraformrc',
      '~/.pulumi',
      '~/.vault-token',
      '~/.config/heroku',
      '~/.fly',
      '~/.config/fly',
      '~/.vercel',
      '~/.local/share/com.vercel.cli',
      '~/.netlify',
      '~/.config/netlify',
      '~/.wrangler',
      '~/.config/.wrangler',
      '~/.cloudflared',
      '~/.supabase',
      '~/.railway',
      '~/.config/tailscale',
    ],
  },
  {
    what: 'credentials for containers and clusters',
    paths: [
      '~/.kube',
      '~/.docker',
      '~/.config/containers',
      '~/.config/helm',
      '~/.minikube',
      '~/.k3d',
      '~/.talos',
      '/etc/rancher',
      '/etc/kubernetes',
      '/var/lib/kubelet',
    ],
  },
  {
    what: 'logins for hosts, registries or services',
    paths: [
      '~/.netrc',
      '~/_netrc',
      '~/.authinfo*',
      '~/.npmrc',
      '~/.yarnrc*',
      '~/.config/yarn',
      '~/.config/pnpm',
      '~/.pypirc',
      '~/.config/pypoetry',
      '~/.pip',
      '~/.config/pip',
      '~/.gem/credentials',
      '~/.local/share/gem/credentials',
      '~/.bundle/config',
      '~/.cargo/credentials*',
      '~/.m2/settings*.xml',
      '~/.gradle/gradle.properties',
      '~/.nuget/NuGet/NuGet.Config',
      '~/.composer/auth.json',
      '~/.config/composer/auth.json',
      '~/.hex',
      '~/.cpan',
      '~/.pause',
      '~/.git-credentials',
      '~/.config/git/credentials',
      '~/.gitconfig',
      '~/.config/gh',
      '~/.config/hub',
      '~/.config/glab-cli',
      '~/.config/tea',
      '~/.config/jj',
      '~/.hgrc',
      '~/.subversion/auth',
      '~/.sentryclirc',
      '~/.config/stripe',
      '~/.huggingface',
      '~/.cache/huggingface/token',
      '~/.cache/huggingface/stored_tokens',
      '~/.kaggle',
      '~/.jupyter',
      '~/.config/op',
      '~/.pgpass',
      '~/.my.cnf',
      '~/.mylogin.cnf',
      '~/.mongorc.js',
      '~/.dbshell',
      '~/.config/rclone.conf',
      '~/.msmtprc',
      '~/.config/msmtp',
      '~/.fetchmailrc',
      '~/.mbsyncrc',
      '~/.offlineimaprc',
      '~/.muttrc',
      '~/.config/neomutt',
      '~/.davfs2',
      '~/.smbcredentials',
      '~/.config/pulse/cookie',
      '~/.Xauthority',
      '~/.ICEauthority',
      '~/.config/nmcli-dmenu',
      '~/.config/openvpn',
      '~/.vpn',
      '~/.cert',
      '~/.krb5',
    ],
  },
  {
    what: 'logins of another agent or model provider',
    paths: [
      '~/.claude',
      '~/.claude.json',
      '~/.config/claude',
      '~/.codex',
      '~/.gemini',
      '~/.config/openai',
      '~/.openai',
      '~/.anthropic',
      '~/.cursor',
      '~/.config/Cursor',
      '~/.config/github-copilot',
      '~/.config/zed',
      '~/.aider*',
      '~/.continue',
      '~/.local/share/opencode',
      '~/.ollama/id_ed25519',
    ],
  },
  {
    what: 'a password store or keyring',
    paths: [
      '~/.password-store',
      '~/.local/share/password-store',
      '~/.local/share/gopass',
      '~/.config/gopass',
      '~/.local/share/keyrings',
      '~/.gnome2/keyrings',
      '~/.kde/share/apps/kwallet',
      '~/.local/share/kwalletd',
      '~/.config/kwalletrc',
      '~/.config/keepassxc',
      '~/.keepassx',
      '~/*.kdbx',
      '~/*/*.kdbx',
      '~/.config/Bitwarden',
      '~/.config/Bitwarden CLI',
      '~/.config/1Password',
      '~/.1password',
      '~/.op',
      '~/.lastpass',
      '~/.local/share/lpass',
      '~/.config/Enpass',
      '~/.electrum',
      '~/.bitcoin',
      '~/.ethereum',
      '~/.config/solana',
      '~/.config/Ledger Live',
      '~/Library/Keychains',
      '~/Library/Application Support/1Password',
      '~/Library/Application Support/Bitwarden',
      '~/Library/Group Containers',
      '/Library/Keychains',
      '/System/Library/Keychains',
    ],
  },
  {
    what: 'the profile of a browser, with its cookies and passwords',
    paths: [
      '~/.mozilla',
      '~/.config/mozilla',
      '~/.librewolf',
      '~/.waterfox',
      '~/.zen',
      '~/.tor-browser',
      '~/.local/share/torbrowser',
      '~/.config/google-chrome*',
      '~/.config/chromium',
      '~/.config/BraveSoftware',
      '~/.config/microsoft-edge*',
      '~/.config/vivaldi*',
      '~/.config/opera*',
      '~/.config/yandex-browser*',
      '~/.config/thorium',
      '~/.config/net.imput.helium',
      '~/.config/falkon',
      '~/.config/qutebrowser',
      '~/.local/share/qutebrowser',
      '~/.local/share/epiphany',
      '~/.local/share/konqueror',
      '~/.var/app',
      '~/snap',
      '~/.cache/mozilla',
      '~/.cache/google-chrome*',
      '~/.cache/chromium',
      '~/Library/Application Support/Google',
      '~/Library/Application Support/Chromium',
      '~/Library/Application Support/BraveSoftware',
      '~/Library/Application Support/Microsoft Edge*',
      '~/Library/Application Support/Vivaldi',
      '~/Library/Application Support/com.operasoftware.*',
      '~/Library/Application Support/Arc',
      '~/Library/Application Support/Dia',
      '~/Library/Application Support/Firefox',
      '~/Library/Application Support/LibreWolf',
      '~/Library/Application Support/zen',
      '~/Library/Application Support/Yandex',
      '~/Library/Safari',
      '~/Library/Cookies',
      '~/Library/Containers/com.apple.Safari',
      '~/Library/HTTPStorages',
      '~/AppData',
    ],
  },
  {
    what: 'accounts and messages of mail or chat',
    paths: [
      '~/.thunderbird',
      '~/.icedove',
      '~/Library/Thunderbird',
      '~/Library/Mail',
      '~/Library/Messages',
      '~/Library/Accounts',
      '~/.config/evolution',
      '~/.local/share/evolution',
      '~/.config/goa-1.0',
      '~/.config/Signal*',
      '~/.config/Slack',
      '~/.config/discord',
      '~/.config/Element',
      '~/.local/share/TelegramDesktop',
      '~/.config/Microsoft',
      '~/.purple',
      '~/.weechat',
      '~/.config/weechat',
      '~/.irssi',
    ],
  },
  {
    what: 'a history of commands, in which credentials are typed',
    paths: [
      '~/.*_history',
      '~/.histfile',
      '~/.local/share/fish/fish_history',
      '~/.config/fish/fish_history',
      '~/.local/share/atuin',
      '~/.python_history',
      '~/.node_repl_history',
      '~/.lesshst',
      '~/.viminfo',
    ],
  },
  {
    what: 'accounts and secrets of this machine',
    paths: [
      '/root',
      '/etc/shadow*',
      '/etc/gshadow*',
      '/etc/sudoers*',
      '/etc/krb5.keytab',
      '/etc/NetworkManager/system-connections',
      '/etc/wpa_supplicant',
      '/etc/credstore*',
      '/etc/crypttab',
      '/etc/ipsec.secrets',
      '/etc/ipsec.d',
      '/etc/swanctl',
      '/var/spool',
      '/var/root',
      '/var/db/dslocal',
      '/var/lib/systemd/credential.secret',
      '/var/backups',
      '/var/mail',
    ],
  },
  {
    what: 'memory and surroundings of running programs',
    paths: ['/proc', '/sys', '/dev', '/run', '/var/run', '/tmp/ssh-*', '/tmp/.X11-unix', '/tmp/krb5cc*'],
  },
  {
    what: 'a private key or a file of secrets',
    paths: [
      '**/id_rsa*',
      '**/id_dsa*',
      '**/id_ecdsa*',
      '**/id_ed25519*',
      '**/*.pem',
      '**/*.key',
      '**/*.p12',
      '**/*.pfx',
      '**/*.jks',
      '**/*.keystore',
      '**/*.ppk',
      '**/*.kdbx',
      '**/*.age',
      '**/.env',
      '**/.env.*',
      '**/.netrc',
      '**/.git-credentials',
      '**/.htpasswd',
      '**/.pgpass',
      '**/credentials.json',
      '**/service-account*.json',
      '**/kubeconfig*',
      '**/wallet.dat',
      '**/*.tfstate*',
      '**/*.tfvars',
      '**/*.ovpn',
      '**/*.keytab',
    ],
  },
  {
    what: 'keys or logins in a copy of a home',
    paths: ['.ssh', '.gnupg', '.aws', '.azure', '.kube', '.docker', '.mozilla', '.password-store'].map(
      (name) => `**/${name}/**`,
    ),
  },
  {
    what: 'logins of programs and machines',
    paths: [
      '~/.config/filezilla',
      '~/.filezilla',
      '~/.local/share/remmina',
      '~/.remmina',
      '~/.vnc',
      '~/.config/tigervnc',
      '~/.config/ngrok',
      '~/.ngrok2',
      '~/.databrickscfg',
      '~/.snowflake',
      '~/.dbt',
      '~/.modal.toml',
      '~/.gitcookies',
      '~/.config/borg',
      '~/.config/restic',
      '~/.config/fish/fish_variables',
      '~/.config/Code*/User/globalStorage',
      '~/.config/VSCodium/User/globalStorage',
      '~/Library/Application Support/Code*/User/globalStorage',
      '~/.config/JetBrains',
      '~/.sbt/.credentials',
      '~/.ivy2/.credentials',
      '~/.p4tickets',
      '/etc/netplan',
      '/etc/NetworkManager/system-connections',
      '/etc/wpa_supplicant*',
      '/var/lib/tailscale',
      '/etc/mysql/debian.cnf',
    ],
  },
]

/** What is kept at an absolute path, in words; null where the table knows nothing of it. */
export function credentialAt(path: string, home: string): string | null {
  const names = namesIn(path)
  const own = below(names, namesIn(home))
  const inHome = own ?? belowSomeHome(names)
  const found = compiled.find(({ places }) =>
    places.some(({ base, names: wanted }) => {
      if (base === 'anywhere') return wanted[0]?.test(names.at(-1) ?? '') === true
      if (base === 'folder') return names.some((name) => wanted[0]?.test(name))
      // Where the operator is root, /root is their home like any other.
      const from = base === 'home' ? inHome : own === null ? names : null
      return from !== null && wanted.length <= from.length && startsWith(from, wanted)
    }),
  )
  return found?.what ?? null
}

/** On macOS the real path of /etc and /var begins with /private. */
function namesIn(path: string): string[] {
  const names = path.split('/').filter(Boolean).map(folded)
  return names[0] === 'private' ? names.slice(1) : names
}

const startsWith = (names: readonly string[], wanted: readonly RegExp[]) =>
  wanted.every((name, index) => name.test(names[index] ?? ''))

function below(names: readonly string[], folder: readonly string[]): readonly string[] | null {
  const isBelow = folder.length > 0 && folder.every((name, index) => name === names[index])
  return isBelow ? names.slice(folder.length) : null
}

/** The usual places of other people's homes. */
function belowSomeHome(names: readonly string[]): readonly string[] | null {
  return names[0] === 'home' || names[0] === 'users' ? names.slice(2) : null
}

interface CompiledLocation {
  readonly base: 'root' | 'home' | 'anywhere' | 'folder'
  readonly names: readonly RegExp[]
}

const compiled = credentialPlaces.map(({ what, paths }) => ({ what, places: paths.map(compile) }))

function compile(path: string): CompiledLocation {
  const [first, ...rest] = path.split('/')
  const anywhere = rest.at(-1) === '**' ? 'folder' : 'anywhere'
  const base = first === '~' ? 'home' : first === '**' ? anywhere : 'root'
  return { base, names: rest.map(patternOf) }
}

function patternOf(glob: string): RegExp {
  const text = glob
    .toLowerCase()
    .replaceAll(/[.+^$(){}|\\[\]]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
  return new RegExp(`^${text}$`, 'su')
}
