/** Owns how a person is told what a server is started with or reached by: all of it, by name. */
import type { ServerLaunch } from '@countersign/contract'

export function launchText(launch: ServerLaunch): string {
  if (launch.kind === 'http') {
    return [
      `Reached at: ${launch.url}`,
      launch.secret === null ? 'Secrets: none' : `Secret that is sent there: ${launch.secret}`,
    ].join('\n')
  }
  const { argv, tree, environment, folders, hosts, secrets, data } = launch
  const lines = (items: readonly string[]) =>
    items.length === 0 ? ' none' : items.map((item) => `\n  ${item}`).join('')
  return [
    `Starts: ${argv.map(quoted).join(' ')}`,
    launch.package === null ? 'Package: none' : `Package: ${launch.package.name} ${launch.package.version}`,
    `Files: ${tree === null ? 'none of its own' : `tree ${tree}`}`,
    `Environment:${lines(Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`))}`,
    `Folders of the workspace:${lines(folders.map(({ path, write }) => `${path} (${write ? 'reads and writes' : 'reads'})`))}`,
    `Hosts:${lines(hosts.map(({ host, port }) => `${host}:${port}`))}`,
    `Secrets that it is given:${lines(Object.entries(secrets).map(([name, secret]) => `${secret}, as ${name}`))}`,
    `Keeps files of its own: ${data ? 'yes' : 'no'}`,
  ].join('\n')
}

/** The names of the secrets that go along with every call, sorted. */
export function launchSecrets(launch: ServerLaunch): readonly string[] {
  if (launch.kind === 'http') return launch.secret === null ? [] : [launch.secret]
  return [...new Set(Object.values(launch.secrets))].toSorted()
}

/** Where a server may take what it is given. */
export function launchPlaces(
  launch: ServerLaunch,
): readonly { readonly scheme: 'http' | 'https'; readonly host: string; readonly port: number }[] {
  if (launch.kind === 'http') {
    const { protocol, hostname, port } = new URL(launch.url)
    const scheme = protocol === 'https:' ? 'https' : 'http'
    return [
      {
        scheme,
        host: hostname.replaceAll(/[[\]]/g, ''),
        port: Number(port) || (scheme === 'https' ? 443 : 80),
      },
    ]
  }
  return launch.hosts.map(({ host, port }) => ({ scheme: port === 80 ? 'http' : 'https', host, port }))
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}
