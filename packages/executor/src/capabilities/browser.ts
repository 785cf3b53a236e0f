/**
 * The capabilitieson the browser: the page of the session, and the one address that the permit names. What a page may
 * reach is what the permit of the call names, for as long as the call lasts; a permit to read a page opens nothing.
 */
import type { ApprovalSubject, UrlResource } from '@countersign/contract'
import type { BrowserAction, ToolCapabilities } from '@countersign/tools'
import type { BrowserPool } from '../browser/browser-pool.ts'
import type { HostPort } from '../browser/reach.ts'
import { isRead } from '../browser/reading.ts'
import { describeTarget } from '../egress/target.ts'
import { failure } from './failure.ts'

export interface BrowserParts {
  readonly browser?: Pick<BrowserPool, 'act'>
}

export function browserCapabilities(
  subject: ApprovalSubject,
  { browser }: BrowserParts = {},
): ToolCapabilities['browser'] {
  const urls = subject.resources.filter((resource) => resource.type === 'url')
  return {
    async act(action, timeoutMs, signal) {
      if (!browser) return failure('There is no browser.')
      if (!urls.some((resource) => isNamed(action, resource)))
        return failure('The permit names another page.')
      const opens = isRead(action) ? [] : urls.flatMap(hostPortsOf)
      const { session, provenance: label } = subject
      return browser.act({ session, action, opens, label }, timeoutMs, signal)
    },
  }
}

const methods: Record<BrowserAction['action'], string> = {
  navigate: 'GET',
  text: 'GET',
  html: 'GET',
  screenshot: 'GET',
  click: 'POST',
  fill: 'POST',
  evaluate: 'POST',
}

function isNamed({ action, url }: BrowserAction, resource: UrlResource): boolean {
  const target = describeTarget(url)
  return (
    target.kind === 'target' &&
    resource.scheme === target.scheme &&
    resource.host === target.asciiHost &&
    resource.port === target.port &&
    resource.method === methods[action] &&
    (resource.redirects === 'same-host') === (action === 'navigate')
  )
}

/** A page that may lead on within its host may do so to the encrypted side of it. */
function hostPortsOf({ scheme, host, port, redirects }: UrlResource): HostPort[] {
  const isLedOn = redirects === 'same-host' && scheme === 'http' && port === 80
  return isLedOn
    ? [
        { host, port },
        { host, port: 443 },
      ]
    : [{ host, port }]
}
