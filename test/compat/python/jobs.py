"""Runs jobs and scheduled jobs with an unmodified client."""

import time

from huggingface_hub import HfApi
from huggingface_hub.errors import BadRequestError, HfHubHTTPError
from story import alice, bob, given, reader, refused, same

PRINT = ["python3", "-c", "import os; print('hello', os.environ['JOB_ID']); print(os.environ['KEY'])"]
TERMINAL = ("COMPLETED", "CANCELED", "ERROR")


def ended(api: HfApi, job, namespace=None):
    for _ in range(6000):
        seen = api.inspect_job(job_id=job.id, namespace=namespace)
        if seen.status.stage in TERMINAL:
            return seen
        time.sleep(0.05)
    raise AssertionError(f"never ended: {seen}")


def logs(api: HfApi, job, **options):
    return list(api.fetch_job_logs(job_id=job.id, **options))


job = alice.run_job(
    image="python:3.12",
    command=PRINT,
    env={"LEVEL": "high"},
    secrets={"KEY": "swordfish"},
    timeout="1.5h",
    labels={"team": "a", "name": "greeter"},
)
same((job.owner.name, job.owner.type, job.docker_image, job.flavor), ("alice", "user", "python:3.12", "cpu-basic"))
same((job.environment, job.secrets, job.labels), ({"LEVEL": "high"}, ["KEY"], {"team": "a", "name": "greeter"}))
same((job.initiator.type, job.initiator.name), ("user", "alice"))
same(job.command, PRINT)

# The log of a running job yields each line once, up to its end.
same(logs(alice, job, follow=True), [f"hello {job.id}", "***"])
done = ended(alice, job)
same((done.status.stage, done.id), ("COMPLETED", job.id))
assert "image and flavor are not applied" in done.status.message
same(logs(alice, job), [f"hello {job.id}", "***"])
same(logs(alice, job, tail=1), ["***"])
same(logs(reader, job, namespace="alice"), [f"hello {job.id}", "***"])

busy = alice.run_job(image="python:3.12", command=["sh", "-c", "while :; do :; done"], timeout=60)
for _ in range(6000):
    if alice.inspect_job(job_id=busy.id).status.stage == "RUNNING":
        break
    time.sleep(0.05)
measures = alice.fetch_job_metrics(job_id=busy.id, **({} if given["previous"] else {"follow": True}))
first, second = next(measures), next(measures)
same(first["memory_total_bytes"] > first["memory_used_bytes"] > 0, True)
same((second["cpu_usage_pct"] > 0, second["cpu_millicores"], second["gpus"]), (True, 2000, {}))
alice.cancel_job(job_id=busy.id)
same((ended(alice, busy).status.stage, list(alice.fetch_job_metrics(job_id=busy.id))), ("CANCELED", []))

# A member with write access runs jobs of an organization, and other members read them.
team = bob.run_job(image="hf.co/spaces/acme/space", command=["sleep", "600"], namespace="acme", flavor="a10g-small")
same((team.space_id, team.docker_image, team.owner.type), ("acme/space", None, "org"))
alice.cancel_job(job_id=team.id, namespace="acme")
same(ended(bob, team, "acme").status.stage, "CANCELED")
refused(lambda: bob.inspect_job(job_id=job.id, namespace="alice"), HfHubHTTPError, 403)

failed = alice.run_job(image="python:3.12", command=["sh", "-c", "echo no >&2; exit 3"], labels={"team": "b"})
same((ended(alice, failed).status.stage, logs(alice, failed)), ("ERROR", ["no"]))
late = alice.run_job(image="python:3.12", command=["sleep", "600"], timeout=1)
same((ended(alice, late).status.stage, ended(alice, late).status.message), ("ERROR", "Job timeout"))

refused(
    lambda: alice.run_job(image="python 3", command=PRINT), BadRequestError, 400, "body.dockerImage"
)

if not given["previous"]:
    from huggingface_hub.errors import JobNotFoundError

    refused(lambda: alice.inspect_job(job_id="0" * 24), JobNotFoundError, 404)
    same({hardware.name for hardware in alice.list_jobs_hardware()} >= {"cpu-basic", "t4-small", "h200x8"}, True)
    same([seen.id for seen in alice.list_jobs(labels={"team": "b"}, token=given["tokens"]["alice"])], [failed.id])
    same([seen.id for seen in alice.list_jobs(status="completed", token=given["tokens"]["alice"])], [job.id])
    relabelled = alice.update_job_labels(job_id=job.id, labels={"team": "c"})
    same(relabelled.labels, {"team": "c"})
    again = alice.rerun_job(job_id=job.id)
    same((again.initiator.type, again.initiator.id), ("duplicated-job", job.id))
    same(logs(alice, again, follow=True), [f"hello {again.id}", "***"])

every = [seen.id for seen in alice.list_jobs(token=given["tokens"]["alice"])]
same(len(every) >= 3 and job.id in every, True)

# A schedule starts jobs at set times.
scheduled = alice.create_scheduled_job(
    image="python:3.12", command=["echo", "tick"], schedule="@hourly", labels={"team": "a"}
)
same((scheduled.schedule, scheduled.suspend, scheduled.concurrency), ("@hourly", False, False))
same((scheduled.owner.name, scheduled.owner.type, scheduled.status.last_job), ("alice", "user", None))
assert scheduled.status.next_job_run_at is not None
same(scheduled.job_spec.docker_image, "python:3.12")
same([seen.id for seen in alice.list_scheduled_jobs()], [scheduled.id])
same(alice.inspect_scheduled_job(scheduled_job_id=scheduled.id), scheduled)
alice.suspend_scheduled_job(scheduled_job_id=scheduled.id)
same(alice.inspect_scheduled_job(scheduled_job_id=scheduled.id).suspend, True)
alice.resume_scheduled_job(scheduled_job_id=scheduled.id)
same(alice.inspect_scheduled_job(scheduled_job_id=scheduled.id).suspend, False)
if not given["previous"]:
    run = alice.trigger_scheduled_job(scheduled_job_id=scheduled.id)
    same((run.initiator.type, run.initiator.id), ("scheduled-job", scheduled.id))
    same(logs(alice, run, follow=True), ["tick"])
    changed = alice.update_scheduled_job_schedule(scheduled_job_id=scheduled.id, schedule="0 9 * * 1")
    same(changed.schedule, "0 9 * * 1")
    same(changed.status.last_job.id, run.id)
    same(alice.update_scheduled_job_labels(scheduled_job_id=scheduled.id, labels={"x": "y"}).job_spec.labels, {"x": "y"})
alice.delete_scheduled_job(scheduled_job_id=scheduled.id)
same(alice.list_scheduled_jobs(), [])
