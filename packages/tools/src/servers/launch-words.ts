/** Owns how a person is told what a server is started with or reached by: all of it, by name. */
import {
  oauthDestination,
  type PluginLaunch,
  type ServerLaunch,
  type ServerOAuth,
  type StdioLaunch,
} from '@countersign/contract'

export function launchText(launch: ServerLaunch): string {
  if (launch.kind === 'http') {
    return [
      `Reached at: ${launch.url}`,
      launch.secret === null ? 'Secrets: none' : `Secret that is sent there: ${launch.secret}`,
      ...(launch.oauth ? signInLines(launch.oauth) : []),
    ].join('\n')
  }
  const { tree, folders, hosts, secrets, data } = launch
  return [
    ...startLines(launch),
    `Files: ${tree === null ? 'none of its own' : `tree ${tree}`}`,
    `Folders of the workspace:${lines(folders.map(({ path, write }) => `${path} (${write ? 'reads and writes' : 'reads'})`))}`,
    `Hosts:${lines(hosts.map(({ host, port }) => `${host}:${port}`))}`,
    `Secrets that it is given:${lines(Object.entries(secrets).map(([name, secret]) => `${secret}, as ${name}`))}`,
    `Keeps files of its own: ${data ? 'yes' : 'no'}`,
  ].join('\n')
}

const lines = (items: readonly string[]) =>
  items.length === 0 ? ' none' : items.map((item) => `\n  ${item}`).join('')

function startLines(launch: StdioLaunch | PluginLaunch): string[] {
  if (launch.kind === 'plugin') {
    const { name, version, main } = launch.manifest
    return [`Runs: ${main} of ${name} ${version}, loaded by our own runner`]
  }
  const variables = Object.entries(launch.environment).map(([name, value]) => `${name}=${quoted(value)}`)
  return [
    `Starts: ${launch.argv.map(quoted).join(' ')}`,
    `Package: ${packageText(launch.package)}`,
    `Environment:${lines(variables)}`,
    ...(launch.sockets ? ['Local sockets: between programs of its own'] : []),
  ]
}

function packageText(fetched: StdioLaunch['package']): string {
  if (fetched === null) return 'none'
  const { name, version, integrity } = fetched
  return [name, version, ...(integrity === undefined ? [] : [`(${integrity})`])].join(' ')
}

/** Every place that the browser or a token goes to. */
function signInLines(oauth: ServerOAuth): string[] {
  const { provider, authorizationUrl, tokenUrl, clientId, clientSecret, scopes, resource } = oauth
  return [
    `You sign in at: ${provider}, which the server named`,
    `Your browser is led to: ${authorizationUrl}`,
    `Tokens come from: ${tokenUrl}`,
    `Tokens are for: ${resource}`,
    `As the client: ${quoted(clientId)}${clientSecret === null ? '' : `, with the secret ${clientSecret}`}`,
    `What it is allowed: ${scopes.length === 0 ? 'what the provider allows by itself' : scopes.join(' ')}`,
  ]
}

/** The names of the secrets that go along with every call, sorted. */
export function launchSecrets(launch: ServerLaunch): readonly string[] {
  if (launch.kind === 'http') {
    const { secret, oauth } = launch
    const names = [secret, oauth?.secret ?? null, oauth?.clientSecret ?? null]
    return names.filter((name) => name !== null).toSorted()
  }
  return [...new Set(Object.values(launch.secrets))].toSorted()
}

/** Where a server may take what it is given. */
export function launchPlaces(
  launch: ServerLaunch,
): readonly { readonly scheme: 'http' | 'https'; readonly host: string; readonly port: number }[] {
  if (launch.kind === 'http') {
    const { protocol, hostname, port } = new URL(launch.url)
    const scheme = protocol === 'https:' ? 'https' : 'http'
    const own = {
      scheme,
      host: hostname.replaceAll(/[[\]]/g, ''),
      port: Number(port) || (scheme === 'https' ? 443 : 80),
    } as const
    const giver = launch.oauth && oauthDestination(launch.oauth.tokenUrl)
    const isOther = giver && (giver.host !== own.host || giver.port !== own.port || giver.scheme !== scheme)
    return giver && isOther ? [own, giver] : [own]
  }
  return launch.hosts.map(({ host, port }) => ({ scheme: port === 80 ? 'http' : 'https', host, port }))
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}
