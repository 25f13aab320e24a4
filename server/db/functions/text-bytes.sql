-- How much text a row holds, so that the sum over a creator needs none of it read. Joining texts is as immutable as they are.
create or replace function text_bytes(texts text[])
returns integer
language sql
immutable PARALLEL SAFE
return coalesce(octet_length(array_to_string(texts, ',')), 0);
