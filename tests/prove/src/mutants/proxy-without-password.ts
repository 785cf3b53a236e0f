/** The proxy of a browser serves whoever connects to it. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'executor/src/egress/proxy.ts',
    from: "return ({ headers }) => timingSafeEqual(hashOf(headers['proxy-authorization'] ?? ''), expected)",
    to: "return ({ headers }) => timingSafeEqual(hashOf(headers['proxy-authorization'] ?? ''), expected) || headers['x-stranger'] !== undefined",
  },
])
