-- traceparent (W3C Trace Context) of what was going on when it happened, where traces are collected.
alter table events add column trace text;
