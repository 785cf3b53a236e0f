/** Owns how Chromium is started. Nothing leaves but through the proxy of a session, and names are never looked up here. */

/** Nobody listens here. What belongs to no session, such as the browser's own errands, ends at a closed door. */
const closedDoor = 'http://127.0.0.1:1'

export function browserFlags(profile: string): string[] {
  return [
    `--user-data-dir=${profile}`,
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    ...networkFlags,
    ...quietFlags,
  ]
}

const networkFlags = [
  `--proxy-server=${closedDoor}`,
  // Loopback is no exception: it is the host's own.
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-client-side-phishing-detection',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-crash-reporter',
]

const quietFlags = [
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-field-trial-config',
  '--disable-gpu',
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-search-engine-choice-screen',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--hide-scrollbars',
  '--mute-audio',
  '--metrics-recording-only',
  '--password-store=basic',
  '--use-mock-keychain',
  '--force-color-profile=srgb',
  '--js-flags=--max-old-space-size=512',
  `--disable-features=${[
    'AimEnabled',
    'AutofillServerCommunication',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'HttpsUpgrades',
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PaintHolding',
    'PreconnectToSearch',
    'Translate',
  ].join(',')}`,
]
