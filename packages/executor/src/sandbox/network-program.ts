/**
 * Owns what runs first inside a sandbox with network: a program that opens the listener on the sandbox's own loopback,
 * hands it to the host, and becomes the command. The listener belongs to the sandbox's network namespace and is
 * served from outside, so the command needs no unix socket and no process of ours stays beside it.
 */
import type { ChildProcess } from 'node:child_process'
import type { Server } from 'node:net'
import type { SandboxNetwork } from './port.ts'

const proxyPort = 3128

/** What programs look at to find a proxy. */
export const proxyEnvironment = {
  HTTP_PROXY: `http://127.0.0.1:${proxyPort}`,
  HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
  http_proxy: `http://127.0.0.1:${proxyPort}`,
  https_proxy: `http://127.0.0.1:${proxyPort}`,
  npm_config_proxy: `http://127.0.0.1:${proxyPort}`,
  npm_config_https_proxy: `http://127.0.0.1:${proxyPort}`,
  NODE_USE_ENV_PROXY: '1',
} as const

/** Node reads the channel's number from its environment, and nothing else of the command's is there yet. */
export const channelEnvironment = (descriptor: number): Record<string, string> => ({
  NODE_CHANNEL_FD: String(descriptor),
})

export function networkArgv(node: string): string[] {
  return [
    node,
    '--disable-warning=ExperimentalWarning',
    '--v8-pool-size=0',
    '--single-threaded',
    '-e',
    `(${networkProgram.toString()})(${proxyPort})`,
  ]
}

/** The command with its environment; both travel over the channel, so that no process list of the host shows them. */
export interface NetworkedCommand {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export type NetworkStart = { close(): Promise<void> } | { readonly problem: string }

/** Waits for the listener, lets the network serve it, and only then lets the command begin. Never rejects. */
export function bringUp(
  child: ChildProcess,
  command: NetworkedCommand,
  network: SandboxNetwork,
): Promise<NetworkStart> {
  return new Promise((resolve) => {
    const ended = (): void => resolve({ problem: 'it ended before it was up.' })
    child.once('close', ended).once('error', ended)
    child.once('message', (_message, handle) => {
      const listener = handle as Server | undefined
      if (listener === undefined) {
        resolve({ problem: 'there is no listener.' })
        return
      }
      network(listener).then(
        (opened) => {
          // Should the sandbox end first, its end is what is told.
          child.send(command, () => undefined)
          resolve(opened)
        },
        (error: unknown) => {
          listener.close()
          resolve({ problem: error instanceof Error ? error.message : String(error) })
        },
      )
    })
  })
}

/** Sent to the sandbox as text, so it uses nothing from outside its own body. */
function networkProgram(port: number): void {
  const { createServer } = process.getBuiltinModule('node:net')
  const listener = createServer()
  process.once('message', ({ argv, env }: NetworkedCommand) => {
    process.disconnect()
    // Node ignores a broken pipe, and the command would inherit that.
    const words = ['env', '--default-signal=PIPE', ...argv]
    process.execve?.('/usr/bin/env', words, env)
  })
  listener.listen(port, '127.0.0.1', () => process.send?.('listening', listener))
}
