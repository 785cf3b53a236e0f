// Owns two things: the shell of the app while nothing answers, and notifications. It never keeps an answer of /v1.

const shell = 'countersign-shell-2'
const first = ['/', '/theme.js', '/manifest.webmanifest', '/icons/stamp.svg', '/icons/stamp-192.png']

self.addEventListener('install', (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== shell).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname === '/v1' || url.pathname.startsWith('/v1/')) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (url.pathname.startsWith('/assets/')) event.respondWith(named(request))
  else if (first.includes(url.pathname)) event.respondWith(fresh(request))
})

self.addEventListener('push', (event) => {
  const told = read(event.data)
  event.waitUntil(
    self.registration.showNotification(told.title, {
      body: told.body,
      tag: told.tag,
      icon: '/icons/stamp-192.png',
      badge: '/icons/stamp-192.png',
      data: { url: told.url },
      requireInteraction: told.needsYou,
    }),
  )
})

// Opens the place that it speaks of. It decides nothing.
self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.url ?? '/', self.location.origin)
  if (url.origin !== self.location.origin) return
  event.waitUntil(show(url.href))
})

async function show(href) {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = open.find((client) => client.url === href) ?? open[0]
  if (page === undefined) return self.clients.openWindow(href)
  if (page.url !== href) await page.navigate(href)
  return page.focus()
}

/** The page as the gateway serves it, or the one that was kept: every address of the app is the same page. */
async function page(request) {
  try {
    const answer = await fetch(request)
    if (answer.ok && answer.headers.get('content-type')?.startsWith('text/html')) {
      const cache = await caches.open(shell)
      await cache.put('/', answer.clone())
      await dropOld(cache, await answer.clone().text())
    }
    return answer
  } catch (error) {
    const kept = await caches.match('/')
    if (kept !== undefined) return kept
    throw error
  }
}

/** The name of a file in /assets changes with its content, so the kept one is the right one. */
async function named(request) {
  const kept = await caches.match(request)
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (answer.ok) await (await caches.open(shell)).put(request, answer.clone())
  return answer
}

async function fresh(request) {
  try {
    const answer = await fetch(request)
    if (answer.ok) await (await caches.open(shell)).put(request, answer.clone())
    return answer
  } catch (error) {
    const kept = await caches.match(request)
    if (kept !== undefined) return kept
    throw error
  }
}

async function keepShell() {
  const cache = await caches.open(shell)
  await cache.addAll(first)
  const html = await (await cache.match('/'))?.text()
  await Promise.all(assetsIn(html ?? '').map((path) => cache.add(path)))
}

/** After a new version the files of the one before are of no use; screens that are open have theirs in memory. */
async function dropOld(cache, html) {
  const entry = assetsIn(html)
  const has = await Promise.all(entry.map((path) => cache.match(path)))
  if (has.every((kept) => kept !== undefined)) return
  for (const request of await cache.keys())
    if (new URL(request.url).pathname.startsWith('/assets/')) await cache.delete(request)
  await Promise.all(entry.map((path) => cache.add(path)))
}

function assetsIn(html) {
  return [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map((match) => match[1])
}

function read(data) {
  const plain = {
    title: 'Countersign',
    body: 'Something waits for you.',
    url: '/',
    tag: 'countersign',
    needsYou: false,
  }
  try {
    const told = data?.json() ?? {}
    return {
      title: text(told.title, plain.title),
      body: text(told.body, plain.body),
      // A path of this app and nothing else.
      url: typeof told.url === 'string' && /^\/(?!\/)/.test(told.url) ? told.url : plain.url,
      tag: text(told.tag, plain.tag),
      needsYou: told.needsYou === true,
    }
  } catch {
    return plain
  }
}

function text(value, otherwise) {
  return typeof value === 'string' && value !== '' ? value : otherwise
}
