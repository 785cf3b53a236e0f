/** Owns how much of everything a server has. A permit binds these numbers. */
export const serverLimits = {
  /** From its start to the answer to the first question. */
  startMs: 30_000,
  /** Without a word about its progress. */
  silentMs: 60_000,
  /** Of one call, whatever it says of its progress. */
  callMs: 300_000,
  /** Of the operator, who is asked for it; none of it counts for the call. */
  questionMs: 300_000,
  /** In one call. */
  mostQuestions: 3,
  /** For what it is told when its call is over while it asks. */
  farewellMs: 250,
  /** Of nobody asking: then it is stopped. */
  idleMs: 120_000,
  /** It is started anew after so long, whatever it does. */
  lifeMs: 3_600_000,
  /** What it says is asked for again after so long. */
  listedForMs: 60_000,
  /** One message, and everything that it says for one call or between two. */
  maxMessageBytes: 4 * 1024 * 1024,
  maxSaidBytes: 16 * 1024 * 1024,
  maxStderrBytes: 64 * 1024,
  maxMemoryBytes: 1024 ** 3,
  maxProcesses: 128,
  maxNetworkBytes: 512 * 1024 * 1024,
  maxConnections: 64,
  /** At one time. */
  mostRunning: 8,
  /** Of an answer, in characters. */
  maxAnswer: 60_000,
  maxListBytes: 1024 * 1024,
} as const

/** Of a server at an address, with the operator being asked meanwhile. The call has a clock of its own. */
export const longestAnswerMs = serverLimits.callMs + serverLimits.mostQuestions * serverLimits.questionMs

/** How much of everything the channel of a plugin has beside that: it is there all day, whoever writes. */
export const channelLimits = {
  /** It begins anew after so long, and what it carried is counted anew. */
  lifeMs: 24 * 3_600_000,
  maxNetworkBytes: 4 * 1024 ** 3,
  /** A platform that is waited for says nothing for a while. */
  idleMs: 300_000,
  /** What it says of itself before anything is carried. */
  maxAnnouncementBytes: 1024 * 1024,
  mostRunning: 20,
} as const
