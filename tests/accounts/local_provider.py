"""An OpenID Connect provider on this machine: discovery, keys and tokens as the specification has them."""

import base64
import hashlib
import json
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT, SECRET = "lectorium", "a-secret-of-the-client"
KEYS = {name: RSAKey.generate_key(2048, {"kid": "1", "use": "sig"}) for name in ("ours", "theirs")}


class LocalProvider:
    """Signs in whom the test names.

    claims: what the next token says beside the usual, or instead of it. userinfo: what is told when it is asked for.
    """

    def __init__(self, issuer):
        self.issuer, self.key, self.claims, self.userinfo, self._codes = issuer, "ours", {}, {}, {}

    def authorize(self, url, subject, **claims):
        """What the browser does at the provider: the path that leads back to the site."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        code = f"code-{len(self._codes)}"
        self._codes[code] = asked, {"sub": subject, **claims}
        return f"{urlsplit(asked['redirect_uri']).path}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form):
        asked, claims = self._codes[form["code"][0]]
        challenge = hashlib.sha256(form["code_verifier"][0].encode()).digest()
        assert base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() == asked["code_challenge"]
        now = int(time.time())
        usual = {"iss": self.issuer, "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": asked["nonce"]}
        token = jwt.encode({"alg": "RS256", "kid": "1"}, {**usual, **claims, **self.claims}, KEYS[self.key])
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 3600, "id_token": token}

    def discovery(self):
        return {
            "issuer": self.issuer, "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token", "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256"],
            **({"userinfo_endpoint": f"{self.issuer}/userinfo"} if self.userinfo else {}),
        }  # fmt: skip


@contextmanager
def local_provider():
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            keys = {"keys": [KEYS["ours"].as_dict(private=False)]}
            pages = {"/keys": keys, "/userinfo": provider.userinfo}
            self._answer(pages.get(self.path) or provider.discovery())

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer(provider.token(parse_qs(body)))

        def _answer(self, values):
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(values).encode())

        def log_message(self, *parts):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider = LocalProvider(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
