-- migrate:up

-- What a message is about, as it says itself; null where it does not, and for messages of before.
ALTER TABLE notification ADD COLUMN subject_id uuid;
CREATE INDEX notification_subject_id_ix ON notification (installation_id, event_type, subject_id);

-- migrate:down
DROP INDEX notification_subject_id_ix;
ALTER TABLE notification DROP COLUMN subject_id;
