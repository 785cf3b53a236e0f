/** Owns what an address of the app is: whether passkeys count there, and how the settings name it or leave it out. Pure. */
import { type OriginView, PublicOrigin } from '@countersign/contract'
import { shellWord } from '../../kit/index.ts'

/** This computer needs nobody's word for itself; every other address was accepted by the host. */
export function isAcceptedPlace(origin: string, origins: readonly OriginView[]): boolean {
  const url = URL.parse(origin)
  if (url?.protocol === 'http:' && url.hostname === 'localhost') return true
  return origins.some((each) => each.origin === origin && each.acceptedAt !== null)
}

/** As a person writes it, with or without what a browser shows after the name. Null where it can be none. */
export function originIn(text: string): string | null {
  const given = text.trim()
  const whole = URL.parse(given.includes('://') ? given : `https://${given}`)
  const origin = whole?.origin ?? ''
  return PublicOrigin.safeParse(origin).success ? origin : null
}

/** The proxy that needs no file: it leads the name of this machine to the port of the gateway. */
export function serveCommand(gatewayUrl: string | undefined): string {
  return `tailscale serve --bg ${URL.parse(gatewayUrl ?? '')?.port ?? ''}`.trimEnd()
}

export const restartCommand = 'countersign down && countersign up'

/** The settings with one more, in the place of those that are there. */
export function addingCommand(origins: readonly OriginView[], origin: string): string {
  return settingCommand([...servedBut(origins, origin), origin])
}

export function stoppingCommand(origins: readonly OriginView[], origin: string): string {
  return settingCommand(servedBut(origins, origin))
}

function servedBut(origins: readonly OriginView[], origin: string): string[] {
  return origins.filter((each) => each.served && each.origin !== origin).map((each) => each.origin)
}

function settingCommand(origins: readonly string[]): string {
  return origins.length === 0
    ? 'countersign config unset publicOrigins'
    : `countersign config set publicOrigins ${shellWord(origins.join(','))}`
}
