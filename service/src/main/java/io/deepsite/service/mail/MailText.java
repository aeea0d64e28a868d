package io.deepsite.service.mail;

/** @param subject one line */
record MailText(String subject, String body) {
    MailText {
        if (subject.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a subject is one line");
        }
    }
}
