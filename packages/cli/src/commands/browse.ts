/** Owns how a person is led to an address: it is always said, and a browser is started where there is a desktop. */
import { hostname, userInfo } from 'node:os'
import type { Context } from '../context.ts'
import { writeAddressPage } from './address-page.ts'

/** The address is always said: the browser may be on another computer. */
export function show(context: Context, address: string, port: string): void {
  context.note(address)
  if (context.host.environment.display) return
  context.note('This host has no desktop. On your own computer, run this and open the address there:')
  context.note(`  ssh -L ${port}:localhost:${port} ${userInfo().username}@${hostname()}`)
}

/** A file, or an address that holds no secret. */
export async function browse(context: Context, target: string): Promise<void> {
  const { host } = context
  if (!host.environment.display) return
  const [program, ...args] = opener(host.platform)
  const ran = await host.runProgram(program, [...args, target])
  context.note(
    ran.kind === 'missing' || ran.code !== 0
      ? 'No browser could be started. Open the address yourself.'
      : 'If no page appears, open the address yourself.',
  )
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Opens an address with a secret by a page that is there only while `wait` lasts, so that no program is started with it. */
export async function browseWhile<Result>(
  context: Context,
  address: string,
  wait: () => Promise<Result>,
): Promise<Result> {
  if (!context.host.environment.display) return wait()
  const page = writeAddressPage((await context.paths()).run, address)
  if (page === undefined) {
    context.note('No private file could be written for the browser. Open the address yourself.')
    return wait()
  }
  const leave = () => {
    page.remove()
    process.exit(130)
  }
  for (const signal of endings) process.once(signal, leave)
  try {
    await browse(context, page.path)
    return await wait()
  } finally {
    for (const signal of endings) process.off(signal, leave)
    page.remove()
  }
}

function opener(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
