/** A browser is started with the address of a sign-in, for everybody on the computer to read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'cli/src/commands/mail-sign-in.ts',
    from: 'await browseWhile(context, begun.address, () => answered)',
    to: "await (await import('./browse.ts')).browse(context, begun.address).then(() => answered)",
  },
])
