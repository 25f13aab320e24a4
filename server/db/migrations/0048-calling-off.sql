-- What may have arrived and is not to be sent any more: it is looked for, and does not go out when it is not found. Why.
alter table deliveries add column called_off text;
