/** Owns the rules that hold at every autonomy level. An operator's file can add to them and cannot undo them. */
export const baseFile = {
  name: 'bundled/base.cedar',
  text: `// What the operator approved may run, unless a rule below forbids it outright.
@id("base.approval")
@why("nothing you set up allows this, so it asks")
permit (principal, action == Action::"call", resource)
when { context.approved };

// What a grant never speaks for is in the schema, beside its switch.
@id("base.grant")
@why("you granted this earlier")
permit (principal, action == Action::"call", resource)
when { context.granted && context.tier <= 2 };

// Without this a question would need an approval before it could be asked.
@id("base.question")
@why("it touches nothing")
permit (principal, action == Action::"call", resource)
when { context.tier == 0 && !context.reads && !context.changes && !context.egress };

// The question was let out when the reader was opened, and it knows nothing else.
@id("base.reader")
@why("a reader looks at the web and knows nothing but its question")
permit (principal, action == Action::"call", resource)
when { context.reader && context.tier == 2 && context.confidentiality == "public" && context.secrets.isEmpty() };

@id("base.critical")
@why("authority, money, secrets and exposure are decided by you every time")
forbid (principal, action == Action::"call", resource)
when { context.tier >= 4 }
unless { context.approved };

@id("base.critical-requester")
@why("only the operator may ask for a change of authority")
forbid (principal, action == Action::"call", resource)
when {
  context.tier >= 4 &&
  (principal in RequesterKind::"peer" || principal in RequesterKind::"webhook")
};

@id("base.rule-of-two")
@why("untrusted content and private data meet in an act that sends or changes something")
forbid (principal, action == Action::"call", resource)
when {
  context.integrity == "untrusted" &&
  context.confidentiality != "public" &&
  (context.egress || context.changes)
}
unless {
  context.approved ||
  // A document that is new or was named by the operator, or what their words asked for: nothing leaves.
  ((context.fresh || context.named || context.asked) &&
    context.tier <= 1 &&
    context.confidentiality == "private" &&
    !context.egress) ||
  // A plain look or document, by a grant that says what untrusted content can do with it.
  (context.granted && context.tier <= 2 && context.confidentiality == "private") ||
  // A question in words that the operator said in this task: a stranger can add none, and what is private adds none.
  (context.question && context.tier == 2 && context.confidentiality == "private")
};

// Stands for the raise from T3 that taint would otherwise give: no level lets untrusted content act outward.
@id("base.untrusted-outward")
@why("untrusted content led to an act that others see or that is hard to undo")
forbid (principal, action == Action::"call", resource)
when { context.integrity == "untrusted" && context.tier >= 3 }
unless { context.approved };

// The two that untrusted content or a secret make stricter stand beside it, and no grant lifts those.
@id("base.private-leaves")
@why("something private could leave for a place that you did not allow beforehand")
forbid (principal, action == Action::"call", resource)
when {
  context.egress &&
  context.confidentiality == "private" &&
  context.integrity != "untrusted"
}
unless { context.approved || (context.granted && context.tier <= 2) || (context.question && context.tier == 2) };

@id("base.secret-used")
@why("it uses a secret of yours")
forbid (principal, action == Action::"call", resource)
when { !context.secrets.isEmpty() }
unless { context.approved };

@id("base.outside")
@why("it looks at a file outside the workspace")
forbid (principal, action == Action::"call", resource)
when { context.outside }
unless { context.approved || (context.granted && context.tier <= 2) };

@id("base.secret-leaves")
@why("something derived from a secret would leave this machine")
forbid (principal, action == Action::"call", resource)
when { context.confidentiality == "secret" && context.egress }
unless { context.approved };

@id("base.uninspectable")
@why("what this command does cannot be listed beforehand")
forbid (principal, action == Action::"call", resource)
when { context.uninspectable }
unless { context.approved };

@id("base.uninspectable-network")
@why("a command that cannot be inspected never gets the network")
forbid (principal, action == Action::"call", resource)
when { context.uninspectable && context.egress };

@id("base.unattended")
@why("nobody is watching this run and the act crosses a boundary")
forbid (principal, action == Action::"call", resource)
when { context.unattended && context.tier >= 2 }
unless { context.approved || (context.granted && context.tier <= 2) || (context.reader && context.tier == 2) };

@id("base.peer")
@why("a paired person asked for more than a look")
forbid (principal in RequesterKind::"peer", action == Action::"call", resource)
when { context.tier >= 1 }
unless { context.approved || (context.granted && context.tier <= 2) || (context.reader && context.tier == 2) };

@id("base.webhook")
@why("a webhook asked for more than a look")
forbid (principal in RequesterKind::"webhook", action == Action::"call", resource)
when { context.tier >= 1 }
unless { context.approved || (context.granted && context.tier <= 2) || (context.reader && context.tier == 2) };

@id("base.schedule")
@why("a schedule asked to cross a boundary")
forbid (principal in RequesterKind::"schedule", action == Action::"call", resource)
when { context.tier >= 2 }
unless { context.approved || (context.granted && context.tier <= 2) || (context.reader && context.tier == 2) };
`,
} as const
