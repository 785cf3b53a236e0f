/** An SMTP server for tests that takes e-mails as real ones do, and hangs up where it is told to. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type HangUp =
  /** Instead of asking for the content. */
  | 'at DATA'
  /** After the first bytes of the content. */
  | 'in the content'
  /** When it has the whole e-mail, without a word. */
  | 'after the dot'

export interface ScriptedSmtp {
  readonly port: number
  /** What it had whole, whether it answered or not. */
  readonly taken: readonly string[]
  /** For whom each of them was. */
  readonly recipients: readonly (readonly string[])[]
  hangUp(when: HangUp | null): void
  close(): Promise<void>
}

/** `onTaken` sees an e-mail before the server answers or hangs up. */
export async function startScriptedSmtp(
  onTaken: (raw: string) => Promise<void> = async () => undefined,
): Promise<ScriptedSmtp> {
  let when: HangUp | null = null
  const taken: string[] = []
  const recipients: string[][] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.write('220 scripted.test ESMTP\r\n')
    let heard = ''
    let content = false
    let named: string[] = []
    socket.setEncoding('latin1').on('data', (text: string) => {
      heard += text
      if (content) {
        if (when === 'in the content') return void socket.destroy()
        const end = heard.indexOf('\r\n.\r\n')
        if (end < 0) return
        const raw = heard.slice(0, end)
        heard = heard.slice(end + 5)
        content = false
        taken.push(raw)
        recipients.push(named)
        named = []
        void onTaken(raw).then(() => {
          if (when === 'after the dot') socket.destroy()
          else socket.write('250 taken\r\n')
        })
      }
      for (let at = heard.indexOf('\r\n'); at >= 0 && !content; at = heard.indexOf('\r\n')) {
        const line = heard.slice(0, at)
        const command = line.split(' ', 1)[0]?.toUpperCase() ?? ''
        if (command === 'RCPT') named.push(line.slice('RCPT TO:'.length))
        heard = heard.slice(at + 2)
        if (command === 'DATA' && when === 'at DATA') return void socket.destroy()
        content = command === 'DATA'
        socket.write(answers[command] ?? '250 ok\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    recipients,
    hangUp(next) {
      when = next
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const answers: Readonly<Record<string, string>> = {
  EHLO: '250-scripted.test\r\n250 AUTH PLAIN\r\n',
  AUTH: '235 in\r\n',
  DATA: '354 go on\r\n',
  QUIT: '221 bye\r\n',
}
