#!/usr/bin/python3
"""A mail server for tests, the distribution's aiosmtpd: smtp.py starttls|tls FOLDER

FOLDER has server.crt and server.key. It listens on a free port of 127.0.0.1, prints it, and takes mail over TLS only, from the login
deepsite with the password of the file FOLDER/password. It refuses recipients whose name begins with "nobody". Each mail that it took
is one line of JSON on its output: sender, recipients, and the text as it came.
"""
import asyncio
import json
import os
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


class Mails:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("nobody"):
            return "550 5.1.1 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        print(json.dumps({"from": envelope.mail_from, "to": envelope.rcpt_tos, "text": envelope.content.decode()}), flush=True)
        return "250 OK"


async def main(security, folder):
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(os.path.join(folder, "server.crt"), os.path.join(folder, "server.key"))
    with open(os.path.join(folder, "password"), encoding="utf-8") as file:
        password = file.read().strip()

    def authenticate(server, session, envelope, mechanism, data):
        return AuthResult(success=(data.login, data.password) == (b"deepsite", password.encode()), handled=False)

    def connection():
        starttls = security == "starttls"
        return SMTP(Mails(), hostname="localhost", tls_context=context if starttls else None, require_starttls=starttls,
                    auth_require_tls=starttls, auth_required=True, authenticator=authenticate)

    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0, ssl=None if security == "starttls" else context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main(sys.argv[1], sys.argv[2]))
