-- While the secret of a webhook is changed, requests are signed with the one before it too.
alter table outgoing_endpoints add column old_secret text;
alter table outgoing_endpoints add column old_secret_until timestamptz;
alter table outgoing_endpoints add constraint old_secret_ends check ((old_secret is null) = (old_secret_until is null));
