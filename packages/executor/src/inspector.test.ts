import { expect, it } from 'vitest'
import { createInspector, type InspectorParts } from './inspector.ts'

const egress = {
  allowPrivate: [
    { host: 'nas.lan', port: 80 },
    { host: 'nas.lan', port: 8080 },
  ],
  ports: [],
}
const unused = {} as InspectorParts['host']
const inspect = createInspector({
  root: '/nowhere',
  workspace: { kind: 'unavailable', reason: 'none', fix: 'none' },
  host: unused,
  programs: unused as never,
  egress,
})

/** Policy takes a name on a usual port for a page of the web. */
it.each([
  ['http://nas.lan/reboot', 'private'],
  ['http://nas.lan:8080/', 'name'],
  ['https://shop.example/', 'name'],
])('tells a name of the own network from one of the web: %s is %s', (url, addressClass) => {
  expect(inspect.url(url, 'GET')).toMatchObject({ kind: 'url', resource: { addressClass } })
})
